// A server whose clock is set by up to two hours, forward and back, between calls: the times of what it records,
// repeated calls, reads, and the views compared with the log.

import { expect } from 'chai'
import { MAX_LEAD_MS } from '../../domain/clock.ts'
import { Random } from '../random.ts'
import { SEED, sized } from '../seeds.ts'
import { makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const CALLS = sized(80, 400)
/** On servers it takes 30 s on an idle machine. */
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
    const players = [await makePlayer(world, game, 'Ada'), await makePlayer(world, game, 'Bea')]
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
        const body = { player: random.pick(players), score: String(random.below(1_000)) }
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
