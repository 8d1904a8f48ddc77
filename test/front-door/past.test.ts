// Reads with as_of over HTTP: they equal the live answers at instants of a random history, at once, much later, and
// after players were deleted; the history of ranks equals the same answers.

import { expect } from 'chai'
import { Random } from '../random.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { eventually } from '../until.ts'
import { type MadeGame, makeBoard, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

const INSTANTS = ON_SERVERS ? 12 : 50
const PLAYERS = 9
const SEED = 20_261_121

/** After this, nothing more is recorded with the time of an instant. */
const SETTLED_MS = 600_000

const SCORES = ['1', '2', '2.5', '-3', '0', '7', '7.000000000000000001', '12', '40', '99999999999999999999.5'] as const

/** A read at an instant, and its answer. */
interface Recorded {
  readonly asOf: string
  readonly path: string
  readonly status: number
  readonly body: Body
}

describe('reads of a leaderboard with as_of', function () {
  // Several thousand calls.
  this.timeout(120_000)
  const random = new Random(SEED)
  let world: World
  let game: MadeGame
  let tenant: Tenant
  let players: string[]
  let boards: string[]
  const ids = new Map<string, string[]>()
  const recorded: Recorded[] = []
  const names = new Map<string, string>()

  const advance = (ms: number) => {
    world.clock.nowMs += ms
  }
  const ended = async (board: string): Promise<void> => {
    await eventually(async () => must(await tenant.get(`/api/lb/${board}/rebuild/`), 200).finished !== null)
  }

  before(async () => {
    tenant = await openTenant()
    ;({ world, game } = tenant)
    players = []
    for (let i = 0; i < PLAYERS; i++) {
      const id = await makePlayer(world, game, `Player ${i}`)
      players.push(id)
      names.set(id, `Player ${i}`)
    }
    boards = [
      await makeBoard(world, game, { ordering: 'desc', unique: true }),
      await makeBoard(world, game, { ordering: 'asc', secondary_ordering: 'desc', unique: false }),
      await makeBoard(world, game, { ordering: 'desc', keep: 'total' }),
    ]
    for (const board of boards) ids.set(board, [])
  })

  async function submit(board: string): Promise<void> {
    const player = random.pick(players)
    const sent = {
      player,
      score: random.pick(SCORES),
      ...(random.chance(0.3) ? { secondary_score: random.pick(SCORES) } : {}),
      ...(random.chance(0.3) ? { player_name: `own-${random.below(3)}` } : {}),
      ...(random.chance(0.3) ? { extra_data: { level: random.below(9) } } : {}),
    }
    const { status, body } = await tenant.post(`/api/lb/${board}/score/`, sent)
    if (status === 201) ids.get(board)?.push(body.submitted)
    else expect(status === 200 || body.code === 'player_banned' || status === 422, JSON.stringify(body)).to.equal(true)
  }

  async function act(): Promise<void> {
    const board = random.pick(boards)
    const player = random.pick(players)
    const about = `/api/gm/${game.id}/players/${player}`
    const draw = random.below(100)
    if (draw < 62) return submit(board)
    if (draw < 72) {
      const id = random.any(ids.get(board) ?? [])
      if (id !== null) expect((await tenant.remove(`/api/score/${id}/`)).status).to.be.oneOf([200, 404])
    } else if (draw < 78) must(await tenant.post(`${about}/ban/`, { reason: 'no' }), 200)
    else if (draw < 86) must(await tenant.post(`${about}/unban/`, {}), 200)
    else if (draw < 90) {
      const until = new Date(world.clock.nowMs + 10).toISOString()
      must(await tenant.post(`${about}/ban/`, { until }), 200)
      recordedLater.push(player)
    } else if (draw < 95) {
      const name = `Renamed ${random.below(1_000)}`
      must(await tenant.put(`${about}/`, { name }), 200)
      names.set(player, name)
    } else if (draw < 97) {
      must(await tenant.put(`/api/lb/${board}/`, { name: `Named ${random.below(9)}` }), 200)
    } else await changeRules(board)
  }
  /** Players whose ban ends by itself. */
  const recordedLater: string[] = []

  async function changeRules(board: string): Promise<void> {
    const rules = random.pick([
      { unique: random.chance(0.5), keep: 'best' },
      { unique: true, keep: random.pick(['latest', 'total']) },
      { ordering: random.pick(['asc', 'desc']) },
      { max_score: random.pick(['8', null]) },
    ])
    const { status } = await tenant.put(`/api/lb/${board}/`, rules)
    if (status === 202) await ended(board)
  }

  /** Waits until the views have ended expired bans. */
  async function endBans(): Promise<void> {
    for (const player of recordedLater.splice(0)) {
      await eventually(async () => {
        const { banned } = must(await tenant.get(`/api/gm/${game.id}/players/${player}/`), 200)
        return banned === null || banned.until === null || banned.until > tenant.nowText()
      })
    }
  }

  const queriesOf = (board: string): string[] => {
    const list = `/api/lb/${board}/score/?limit=100`
    const page = `/api/lb/${board}/score/?limit=3`
    const since = new Date(world.clock.nowMs - 1 - random.below(60)).toISOString()
    const until = new Date(world.clock.nowMs - random.below(20)).toISOString()
    const window = since <= until ? `&since=${since}&until=${until}` : `&since=${since}`
    const player = random.pick(players)
    return [
      `/api/lb/${board}/`,
      list,
      `${list}${window}`,
      `${list}${window}&window=best`,
      `${page}&around=${player}${random.chance(0.5) ? window : ''}`,
      `${page}&order=${random.pick(['worst', 'newest', 'oldest'])}&page=${1 + random.below(3)}`,
      `${page}&offset=${random.below(9)}&order=${random.pick(['best', 'worst', 'newest', 'oldest'])}`,
      `${list}&player=${player}`,
      `${page}&player_name=OWN-1`,
      `${page}&min_score=1&max_score=30`,
      ...[random.any(ids.get(board) ?? []), random.any(ids.get(board) ?? [])]
        .filter((id) => id !== null)
        .map((id) => `/api/score/${id}/`),
    ]
  }

  const at = (path: string, asOf: string) => tenant.get(`${path}${path.includes('?') ? '&' : '?'}as_of=${asOf}`)

  /** The body with current names, except those given with a score. */
  function renamed(body: Body): Body {
    const one = (score: Body) =>
      typeof score.player_name === 'string' && !score.player_name.startsWith('own-')
        ? { ...score, player_name: names.get(score.player) }
        : score
    if (body.scores !== undefined) return { ...body, scores: body.scores.map(one) }
    return body.player === undefined ? body : one(body)
  }

  const withoutRequest = ({ request_id: _, detail: __, ...rest }: Body) => rest

  /** A read of that instant is answered the same now. */
  async function expectAnswered({ asOf, path, status, body }: Recorded, due = renamed(body)): Promise<void> {
    const found = await at(path, asOf)
    const message = `${path} at ${asOf}`
    expect([found.status, withoutRequest(found.body)], message).to.deep.equal([status, withoutRequest(due)])
  }

  it('answers as the same reads were answered live, at each of many instants', async () => {
    for (let instant = 0; instant < INSTANTS; instant++) {
      for (let acts = 0; acts < 4; acts++) {
        await act()
        // A read of the current instant, of which more events may follow: they must be included later.
        if (random.chance(0.7)) advance(1 + random.below(9))
        else await at(`/api/lb/${random.pick(boards)}/score/`, tenant.nowText())
      }
      advance(12)
      await endBans()
      const asOf = tenant.nowText()
      for (const path of boards.flatMap(queriesOf)) {
        if (!path.endsWith('/score/?limit=100') && random.chance(0.5)) continue
        const { status, body } = await tenant.get(path)
        recorded.push({ asOf, path, status, body })
      }
      // Also while events of that time may still arrive, and so once more after they did.
      for (const one of recorded.slice(-2)) await expectAnswered(one, one.body)
      advance(1)
      await act()
      advance(1)
    }
    expect(recorded.filter(({ status }) => status === 200).length).to.be.above(recorded.length * 0.8)
    // One score is answered from its player’s stream until somebody asks for the board of that instant,
    // then from that board.
    const ones = recorded.filter(({ path }) => path.startsWith('/api/score/'))
    expect(ones).to.not.have.length(0)
    for (const one of [...ones, ...recorded]) await expectAnswered(one)
  })

  it('answers the same much later, from the cache and after folding again', async () => {
    advance(SETTLED_MS)
    for (let twice = 0; twice < 2; twice++) {
      for (const one of recorded.filter((_, i) => i % 9 === twice)) await expectAnswered(one)
    }
  })

  it('answers the history of rank and score that each instant shows', async () => {
    let outcome = 0
    for (const board of boards) {
      // About a dozen instants are folded for each player, which takes seconds on servers.
      const { scores } = must(await tenant.get(`/api/lb/${board}/score/?limit=1`), 200)
      const chosen = ON_SERVERS ? scores.map((row: Body) => row.player) : players.slice(0, 3)
      for (const player of chosen) {
        const query = `?player=${player}&points=${12 + random.below(12)}`
        const { points } = must(await tenant.get(`/api/lb/${board}/history/${query}`), 200)
        for (const { time, rank, score } of points) {
          const page = must(await at(`/api/lb/${board}/score/?player=${player}&limit=1`, time), 200)
          const [best] = page.scores
          expect([rank, score], `${player} at ${time}`).to.deep.equal([best?.rank ?? null, best?.score ?? null])
          outcome++
        }
        const times = points.map(({ time }: Body) => time)
        expect(times).to.deep.equal([...new Set(times)].sort())
      }
    }
    expect(outcome).to.be.above(ON_SERVERS ? 8 : 50)
  })

  it('leaves out players who were deleted since, and closes the ranks', async () => {
    const deleted = players.slice(0, 2)
    const lists = recorded.filter(({ path }) => path.endsWith('/score/?limit=100'))
    for (const player of deleted) {
      must(await tenant.remove(`/api/gm/${game.id}/players/${player}/`), 200)
      const { asOf, path } = lists.at(-1) as Recorded
      const { scores } = must(await at(path, asOf), 200)
      expect(scores.filter((row: Body) => row.player === player)).to.deep.equal([])
      const [board = ''] = boards
      expect(must(await tenant.get(`/api/lb/${board}/history/?player=${player}`), 200)).to.deep.equal({ points: [] })
    }
    for (const { asOf, path, body } of recorded.filter(({ path }) => path.includes('/score/?limit=100'))) {
      if (deleted.some((player) => path.includes(player))) continue
      const kept = renamed(body).scores.filter(({ player }: Body) => !deleted.includes(player))
      const isUnfiltered = !path.includes('&player=')
      const scores = isUnfiltered ? kept.map((row: Body, i: number) => ({ ...row, rank: i + 1 })) : kept
      const found = must(await at(path, asOf), 200)
      if (isUnfiltered) expect(found, `${path} at ${asOf}`).to.deep.equal({ ...body, scores, count: scores.length })
      else expect(found.scores.map(({ id }: Body) => id)).to.deep.equal(scores.map(({ id }: Body) => id))
    }
    for (const { asOf, path, status, body } of recorded.filter(({ path }) => path.includes('/api/score/'))) {
      const found = await at(path, asOf)
      if (status === 200 && !deleted.includes(body.player)) expect(found.body).to.deep.equal(renamed(body))
      else expect([found.status, found.body.code]).to.deep.equal([404, 'score_not_found'])
    }
  })
})

describe('the past of a leaderboard', () => {
  let world: World
  let game: MadeGame
  let get: Tenant['get']
  let remove: Tenant['remove']
  let nowText: Tenant['nowText']
  /** Before the board was created. */
  let earlier: string

  before(async () => {
    ;({ world, game, get, remove, nowText } = await openTenant())
    earlier = nowText()
    world.clock.nowMs += 1
  })

  it('answers 404 for instants before a leaderboard was created, and for an archived one', async () => {
    const board = await makeBoard(world, game)
    for (const path of [`/api/lb/${board}/`, `/api/lb/${board}/score/`]) {
      const { status, body } = await get(`${path}?as_of=${earlier}`)
      expect([status, body.code]).to.deep.equal([404, 'leaderboard_not_found'])
    }
    const asOf = nowText()
    must(await get(`/api/lb/${board}/?as_of=${asOf}`), 200)
    world.clock.nowMs += 1
    must(await remove(`/api/lb/${board}/`), 200)
    for (const path of [`/api/lb/${board}/`, `/api/lb/${board}/score/`, `/api/lb/${board}/history/?player=nobody`]) {
      const { status, body } = await get(path.includes('history') ? path : `${path}?as_of=${asOf}`)
      expect([status, body.code]).to.deep.equal([404, 'leaderboard_not_found'])
    }
  })

  it('refuses an as_of that is not in the past and other invalid parameters, and names them', async () => {
    const board = await makeBoard(world, game)
    const future = new Date(world.clock.nowMs + 2_000).toISOString()
    const bad = [
      '',
      '2026-11-20',
      '2026-11-20T12:00:00',
      'now',
      '2026-02-30T00:00:00Z',
      future,
      `${earlier}&as_of=${earlier}`,
    ]
    for (const text of bad) {
      for (const path of [`/api/lb/${board}/`, `/api/lb/${board}/score/`, '/api/score/abcd/']) {
        const { status, body } = await get(`${path}?as_of=${text}`)
        expect([status, body.errors?.[0]?.pointer], `${path} ${text}`).to.deep.equal([400, '/as_of'])
      }
    }
    for (const [query, pointer] of [
      ['', '/player'],
      ['?player=', '/player'],
      ['?player=a&points=0', '/points'],
      ['?player=a&points=1001', '/points'],
      ['?player=a&points=x', '/points'],
      ['?player=a&as_of=2026-01-01T00:00:00Z', '/as_of'],
      ['?player=a&player=b', '/player'],
    ]) {
      const { status, body } = await get(`/api/lb/${board}/history/${query}`)
      expect([status, body.errors?.[0]?.pointer], query).to.deep.equal([400, pointer])
    }
    const unknown = must(await get(`/api/lb/${board}/history/?player=nobody`), 200)
    expect(unknown).to.deep.equal({ points: [] })
  })
})
