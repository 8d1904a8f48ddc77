// Rebuilding views over HTTP: under live traffic, switched back, cancelled, continued after a restart; a rebuild
// corrects a corrupted live view.

import { expect } from 'chai'
import type { Builds } from '../../clients/javascript/views.ts'
import { entries } from '../../projections/entries.ts'
import { viewKey } from '../../projections/projection.ts'
import { openStores } from '../../server/open-stores.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { eventually, pause } from '../until.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const ENTRIES = viewKey(entries)
const PATH = '/api/sys/rebuild/'

describe('rebuilding views beside the active ones', function () {
  this.timeout(ON_SERVERS ? 240_000 : 120_000)
  let world: World
  let operator: string

  before(async () => {
    world = await openWorld()
    operator = await tokenOf(world, world.operator)
  })
  after(() => world.close())

  const send = (method: string, path: string, body?: unknown) =>
    world.call(method, path, { token: operator, ...(body === undefined ? {} : { body }) })
  const builds = async (): Promise<Builds> => must(await send('GET', PATH), 200)

  async function until(isSo: (builds: Builds) => boolean): Promise<Builds> {
    for (;;) {
      const now = await builds()
      if (isSo(now)) return now
      await pause(50)
    }
  }

  /** The stores of the stopped server. */
  function stoppedStores() {
    const hooks = { onFailure: () => {}, warn: () => {}, now: () => world.clock.nowMs }
    return openStores({ ...world.storeUrls, dataDir: world.dataDir, production: false }, hooks)
  }

  const isOver = ({ state }: Builds) => state === 'idle'
  const numberOf = ({ shown }: Builds, view: string) => shown.find((one) => one.view === view)?.build

  async function verified(): Promise<Body> {
    const lines = await (await openLines(world.port, '/api/sys/verify/', operator)).all()
    return lines.at(-1)?.result
  }

  /** Repeats a read that is answered with 503, as on a busy machine the views may be late. */
  async function readWhenCaughtUp(path: string, token: string) {
    for (;;) {
      const answer = await world.call('GET', path, { token })
      if (answer.status !== 503) return answer
      expect(answerCode(answer)).to.equal('503 behind')
    }
  }

  /** Repeatedly submits and at once reads what it submitted, until stopped. */
  function traffic(game: MadeGame, board: string, players: readonly string[]) {
    let isDone = false
    let sent = 0
    const best = new Map<string, number>()
    const one = async (player: string, n: number) => {
      const { token } = game
      for (let score = n; !isDone; score += players.length) {
        const body = { player, score: String(score) }
        const { status } = await world.call('POST', `/api/lb/${board}/score/`, { token, body })
        expect(status).to.be.oneOf([200, 201])
        sent++
        best.set(player, score)
        const page = must(await readWhenCaughtUp(`/api/lb/${board}/score/?player=${player}`, token), 200)
        expect(page.scores.map((entry: Body) => entry.score)).to.deep.equal([String(score)])
      }
    }
    const running = Promise.all(players.map(one))
    // `end` reports the error.
    running.catch(() => {})
    return {
      sent: () => sent,
      best,
      end: async () => {
        isDone = true
        await running
      },
    }
  }

  async function makeGameWithPlayers(count: number) {
    const game = await makeGame(world)
    const board = await makeBoard(world, game)
    const players = await Promise.all(Array.from({ length: count }, (_, n) => makePlayer(world, game, `P${n}`)))
    return { game, board, players }
  }

  it('rebuilds all views under load, switches to them, back, and to them again', async () => {
    const { game, board, players } = await makeGameWithPlayers(4)
    const load = traffic(game, board, players)
    const started = must(await send('POST', PATH, {}), 202) as Builds
    expect(started.state).to.equal('building')
    expect(started.views).to.have.length(started.shown.length)
    expect(answerCode(await send('POST', PATH, {}))).to.equal('409 views_rebuilding')
    expect(answerCode(await send('POST', `${PATH}back/`))).to.equal('409 views_rebuilding')
    const over = await until(isOver)
    expect(over.last).to.deep.include({ outcome: 'switched', reason: null, found: 0, differences: [] })
    expect(over.last?.documents).to.be.greaterThan(0)
    const number = numberOf(over, ENTRIES)
    expect(number).to.be.greaterThan(0)
    expect(over.shown.map(({ build }) => build)).to.deep.equal(over.shown.map(() => number))
    const atSwitch = load.sent()
    await eventually(() => load.sent() >= atSwitch + 20)
    const back = must(await send('POST', `${PATH}back/`), 200) as Builds
    expect([numberOf(back, ENTRIES), back.last?.outcome]).to.deep.equal([0, 'taken_back'])
    await eventually(() => load.sent() >= atSwitch + 60)
    const forth = must(await send('POST', `${PATH}back/`), 200) as Builds
    expect(numberOf(forth, ENTRIES)).to.equal(number)
    await eventually(() => load.sent() >= atSwitch + 90)
    await load.end()
    expect(await verified()).to.deep.include({ equal: true, found: 0 })
    const page = must(await world.call('GET', `/api/lb/${board}/score/`, { token: game.token }), 200)
    expect(page.scores.map((entry: Body) => Number(entry.score))).to.deep.equal(
      [...load.best.values()].sort((a, b) => b - a),
    )
    const gone = must(await send('DELETE', `${PATH}back/`), 200) as Builds
    expect(gone.way_back).to.equal(null)
    expect(answerCode(await send('POST', `${PATH}back/`))).to.equal('409 nothing_kept')
  })

  it('corrects a corrupted live view and reports the differences, also after a restart of the server', async () => {
    const { game, board, players } = await makeGameWithPlayers(2)
    const [player = ''] = players
    const { token } = game
    must(await world.call('POST', `/api/lb/${board}/score/`, { token, body: { player, score: '41' } }), 201)
    await until(isOver)
    const shownKey = async () => {
      const number = numberOf(await builds(), ENTRIES)
      return number === 0 ? ENTRIES : `${ENTRIES}+${number}`
    }
    const view = await shownKey()
    await world.end()
    const stores = await stoppedStores()
    const [found] = await stores.views.find({ view, collection: 'entries', index: 'player', equal: [player], limit: 1 })
    if (found === undefined) throw new Error('there is no entry')
    const planted = { collection: 'entries', id: found.id, pos: `${found.pos}x`, body: { ...found.body, score: '42' } }
    await stores.views.commit([{ view, writes: [planted], checkpoints: new Map() }])
    await stores.close()
    await world.restart()
    operator = await tokenOf(world, world.operator)
    const shown = async () => {
      const page = must(await world.call('GET', `/api/lb/${board}/score/?player=${player}`, { token }), 200)
      return page.scores.map((entry: Body) => entry.score)
    }
    expect(await shown()).to.deep.equal(['42'])
    must(await send('POST', PATH, { views: ['entries'] }), 202)
    // The next start continues the rebuild.
    await world.restart()
    operator = await tokenOf(world, world.operator)
    const over = await until(isOver)
    expect(over.last).to.deep.include({ outcome: 'switched', found: 1, views: [ENTRIES] })
    const differs = over.last?.differences.filter(({ field }) => field !== 'pos')
    expect(differs).to.deep.equal([
      {
        view: viewKey({ ...entries, build: Number(view.split('+')[1] ?? 0) }),
        collection: 'entries',
        id: found.id,
        field: 'body.score',
        live: '"42"',
        rebuilt: '"41"',
      },
    ])
    expect(await shown()).to.deep.equal(['41'])
    expect(await verified()).to.deep.include({ equal: true, found: 0 })
  })

  it('cancels a rebuild and drops its build, and refuses unknown views with 422', async () => {
    expect(answerCode(await send('POST', PATH, { views: ['nothing'] }))).to.equal('422 unknown_view')
    must(await send('POST', PATH, { views: ['entries', 'players'] }), 202)
    const cancelled = must(await send('DELETE', PATH), 200) as Builds
    expect([cancelled.state, cancelled.last?.outcome]).to.deep.equal(['idle', 'cancelled'])
    const before = numberOf(cancelled, ENTRIES)
    expect(numberOf(await builds(), ENTRIES)).to.equal(before)
    expect(await verified()).to.deep.include({ equal: true, found: 0 })
  })

  // On servers old builds are kept for a minute, for nodes that still read them.
  if (ON_SERVERS) return

  it('drops every previous build once it cannot be restored', async () => {
    must(await send('DELETE', `${PATH}back/`), 200)
    const shown = (await builds()).shown.map(({ view, build }) => (build === 0 ? view : `${view}+${build}`))
    await world.restart()
    await world.end()
    const stores = await stoppedStores()
    const there = (await stores.views.list()).filter((key) => !/^(builds|snapshots|verified)@/.test(key))
    await stores.close()
    await world.restart()
    expect(there.sort()).to.deep.equal([...shown].sort())
  })
})
