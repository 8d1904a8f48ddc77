// A server whose clock is behind what it has recorded, or is set forward and back: the times of events, the order of
// equal scores, boards as of instants, what it reports, and when it records nothing.

import { expect } from 'chai'
import { MAX_LEAD_MS } from '../../domain/clock.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import { Random } from '../random.ts'
import { SEED, sized } from '../seeds.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const REFUSED = '503 clock_behind'

describe('a server whose clock was ahead', () => {
  let world: World
  let game: MadeGame
  let board: string
  let player: string
  let beganMs: number

  beforeEach(async () => {
    world = await openWorld({ logLevel: 'warn' })
    beganMs = world.clock.nowMs
    game = await makeGame(world)
    board = await makeBoard(world, game)
    player = await makePlayer(world, game)
  })
  afterEach(() => world.close())

  const token = () => tokenOf(world, game.server)
  const path = () => `/api/lb/${board}/score/`
  /** With a new token: the former one may be of another day. */
  const submit = async (score: string, key?: string) =>
    world.call('POST', path(), {
      token: await token(),
      body: { player, score },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })
  const setClock = (ms: number) => {
    world.clock.nowMs = beganMs + ms
  }
  const health = async (port: number | undefined) => (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()
  const behindSeconds = async () => {
    const text = await (await fetch(`http://127.0.0.1:${world.adminPort}/metrics`)).text()
    return Number(/^scorebook_clock_behind_seconds (\S+)$/m.exec(text)?.[1])
  }

  const refusalToStart = async () => {
    const failure = await world.restart({ acceptsClock: false }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(StoresFault)
    return String(failure)
  }

  it('dates a score by the clock, or by the last one of the player where that is later by at most a minute', async () => {
    const updated: number[] = []
    for (const [n, ms] of [0, HOUR_MS, HOUR_MS - 60_000, HOUR_MS - 60_001, 1].entries()) {
      setClock(ms)
      updated.push(Date.parse((await submit(String(n + 1))).body.updated) - beganMs)
    }
    expect(updated).to.deep.equal([0, HOUR_MS, HOUR_MS, HOUR_MS - 60_001, 1])
  })

  it('names both times in the details of its health, in the metrics and at the start of its log', async () => {
    setClock(HOUR_MS)
    must(await submit('1'), 201)
    expect([await health(world.adminPort), await behindSeconds()]).to.deep.equal([{ status: 'ready' }, 0])
    setClock(0)
    await world.restart()
    const [clock, newest] = [beganMs, beganMs + HOUR_MS].map((ms) => new Date(ms).toISOString())
    const warning = `the clock is at ${clock}, 60 minutes behind the newest event, of ${newest}`
    expect(await health(world.adminPort)).to.deep.equal({ status: 'degraded', reasons: { clock: warning } })
    expect(await health(world.port)).to.deep.equal({ status: 'degraded', missing: ['clock'] })
    expect(await behindSeconds()).to.equal(3_600)
    expect(world.lines.filter((line) => line.includes(warning))).to.have.length(1)
    expect((await submit('2')).body.updated).to.equal(clock)
  })

  it('records nothing while it runs more than a day behind the newest event, answers reads, and records again once it is right', async () => {
    setClock(2 * DAY_MS)
    must(await submit('1', 'first'), 201)
    setClock(DAY_MS - 1)
    expect(answerCode(await submit('2'))).to.equal(REFUSED)
    const again = await submit('1', 'first')
    expect([answerCode(again), again.headers['retry-after']]).to.deep.equal([REFUSED, '60'])
    expect(must(await world.call('GET', path(), { token: await token() }), 200).scores).to.have.length(1)
    setClock(DAY_MS)
    expect(must(await submit('2'), 200)).to.include({ score: '2', improved: true })
    expect(must(await submit('1', 'first'), 201)).to.include({ score: '1' })
  })

  it('does not start more than a day behind the newest event unless the clock is accepted, and records then', async () => {
    setClock(2 * DAY_MS)
    must(await submit('1'), 201)
    setClock(DAY_MS - 1)
    const refused = await refusalToStart()
    expect(refused)
      .to.include(new Date(beganMs + DAY_MS - 1).toISOString())
      .and.include(new Date(beganMs + 2 * DAY_MS).toISOString())
      .and.include('--accept-clock')
    await world.restart({ acceptsClock: true })
    expect(must(await submit('2'), 200).updated).to.equal(new Date(beganMs + DAY_MS - 1).toISOString())
    // Later events do not hide the newest one from the next start.
    expect(await refusalToStart()).to.equal(refused)
    await world.restart({ acceptsClock: true })
    setClock(0)
    must(await submit('3'), 200)
    expect(JSON.stringify(await health(world.adminPort))).to.include('accepted by --accept-clock')
  })
})

/** Calls, and instants at which boards are read. On servers the rule is the same: only what the log returns differs. */
const [CALLS, INSTANTS] = ON_SERVERS ? [200, 20] : sized([80, 20], [400, 80])

/** On servers it takes 12 s on an idle machine. */
const TIMEOUT_MS = 240_000

const STEP_MS = 2 * 3_600_000

/** A step of this size is within the bound of the rule about as often as not. */
const SMALL_STEP_MS = 2 * MAX_LEAD_MS

/** The clock stays this near to where it began, well within a day. */
const RANGE_MS = 10 * 3_600_000

interface Sent {
  readonly key: string
  readonly path: string
  readonly body: object
  readonly first: Body
}

/** Few different scores, so that many are equal. */
const SCORES = 12

/** The players of a board in rank order, and their scores, from a part of the log that begins with its first event. */
function boardIn(events: readonly Body[], board: string, unique: boolean): readonly (readonly [string, string])[] {
  const rows: { player: string; score: string }[] = []
  for (const { type, meta, data } of events) {
    if (type !== 'ScoreSubmitted' || meta.board !== board) continue
    const own = unique ? rows.findIndex(({ player }) => player === meta.player) : -1
    if (own >= 0 && Number(data.score) <= Number(rows[own]?.score)) continue
    if (own >= 0) rows.splice(own, 1)
    rows.push({ player: meta.player, score: data.score })
  }
  // Sorting is stable: equal scores stay in the order in which they were recorded.
  return rows.sort((a, b) => Number(b.score) - Number(a.score)).map(({ player, score }) => [player, score])
}

/** What a repeat answers alike; the rank is that of now. */
const lasting = ({ rank: _, ...rest }: Body) => rest

describe('a server whose clock is set forward and back', function () {
  this.timeout(TIMEOUT_MS)
  let world: World

  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  it('dates events by the rule, answers repeats alike, and keeps its views equal to the log', async () => {
    const random = new Random(SEED)
    const game = await makeGame(world)
    const boards = [await makeBoard(world, game), await makeBoard(world, game, { unique: false })]
    const players: string[] = []
    for (const name of ['Ada', 'Bea', 'Cyd', 'Dan', 'Eve']) players.push(await makePlayer(world, game, name))
    const beganMs = world.clock.nowMs
    const step = () => {
      const size = random.chance(0.5) ? SMALL_STEP_MS : STEP_MS
      const ms = world.clock.nowMs + random.below(2 * size + 1) - size
      world.clock.nowMs = Math.min(Math.max(ms, beganMs - RANGE_MS), beganMs + RANGE_MS)
    }
    const token = () => tokenOf(world, game.server)
    const sent: Sent[] = []
    /** By the idempotency key of the call. */
    const clocks = new Map<string, number>()
    for (let n = 0; n < CALLS; n++) {
      step()
      const board = random.pick(boards)
      const repeated = random.chance(0.3) ? random.any(sent) : null
      if (repeated !== null) {
        const headers = { 'idempotency-key': repeated.key }
        const again = await world.call('POST', repeated.path, { token: await token(), body: repeated.body, headers })
        expect(again.headers['idempotent-replay'], repeated.key).to.equal('true')
        expect(lasting(again.body), repeated.key).to.deep.equal(lasting(repeated.first))
      } else if (random.chance(0.2)) {
        const asOf = new Date(world.clock.nowMs - random.below(STEP_MS)).toISOString()
        const read = await world.call('GET', `/api/lb/${board}/score/?as_of=${asOf}`, { token: await token() })
        expect(read.status, asOf).to.be.oneOf([200, 404])
      } else {
        const [key, path] = [`call ${n}`, `/api/lb/${board}/score/`]
        const body = { player: random.pick(players), score: String(random.below(SCORES)) }
        clocks.set(key, world.clock.nowMs)
        const answer = await world.call('POST', path, {
          token: await token(),
          body,
          headers: { 'idempotency-key': key },
        })
        expect(answer.status, answer.text).to.be.oneOf([200, 201])
        sent.push({ key, path, body, first: answer.body })
      }
    }
    const lines = await (await openLines(world.port, `/api/gm/${game.id}/events/`, await token())).all()
    const events = lines.filter(({ type }) => type === 'ScoreSubmitted' || type === 'LeaderboardCreated')
    const submissions = events.filter(({ type }) => type === 'ScoreSubmitted')
    expect(submissions.map(({ data }) => data.score)).to.have.length(sent.length)
    const createdMs = new Map(events.map(({ stream, time }) => [stream.replace('board-', ''), Date.parse(time)]))
    const lastMs = new Map<string, number>()
    for (const [n, { stream, time, meta }] of submissions.entries()) {
      const clockMs = clocks.get(sent[n]?.key ?? '') ?? 0
      const earlier = [lastMs.get(stream), createdMs.get(meta.board)].map((ms = 0) => ms)
      const due = Math.max(clockMs, ...earlier.filter((ms) => ms - clockMs <= MAX_LEAD_MS))
      expect(Date.parse(time) - beganMs, `submission ${n}`).to.equal(due - beganMs)
      lastMs.set(stream, due)
    }
    world.clock.nowMs = beganMs + RANGE_MS
    const read = async (board: string, more = '') => {
      const path = `/api/lb/${board}/score/?limit=100${more}`
      const { status, body } = await world.call('GET', path, { token: await token() })
      if (status === 404) return null
      expect(status, path).to.equal(200)
      expect(body.scores.map(({ rank }: Body) => rank)).to.deep.equal(body.scores.map((_: Body, n: number) => n + 1))
      return body.scores.map(({ player, score }: Body) => [player, score])
    }
    for (const [n, board] of boards.entries()) {
      expect(await read(board)).to.deep.equal(boardIn(lines, board, n === 0).slice(0, 100))
      for (let asked = 0; asked < INSTANTS; asked++) {
        const ms = Date.parse(random.pick(lines).time) + random.pick([-1, 0, 1, 60_000])
        const asOf = new Date(Math.min(ms, world.clock.nowMs)).toISOString()
        const then = lines.slice(0, lines.findLastIndex(({ time }) => time <= asOf) + 1)
        const isThere = then.some(({ type, meta }) => type === 'LeaderboardCreated' && meta.board === board)
        const due = isThere ? boardIn(then, board, n === 0).slice(0, 100) : null
        expect(await read(board, `&as_of=${asOf}`), `board ${n} as of ${asOf}`).to.deep.equal(due)
      }
    }
    const operator = await tokenOf(world, world.operator)
    const verified = (await (await openLines(world.port, '/api/sys/verify/', operator)).all()).at(-1)
    expect(verified?.result.equal, JSON.stringify(verified)).to.equal(true)
    await world.restart({ acceptsClock: true })
    const rows = must(await world.call('GET', `/api/lb/${boards[0]}/score/`, { token: await token() }), 200)
    expect(rows.scores.map(({ player }: Body) => player)).to.have.members([
      ...new Set(sent.filter(({ path }) => path.includes(boards[0] ?? '')).map(({ body }) => (body as Body).player)),
    ])
  })
})
