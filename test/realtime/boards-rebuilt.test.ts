// Live boards whose source is switched: to rebuilt views and back, and to a board's other rules. Watchers get the new
// state in consecutive changes, even if nothing is appended to the log.

import { expect } from 'chai'
import type { Builds } from '../../clients/javascript/views.ts'
import { entries } from '../../projections/entries.ts'
import { viewKey } from '../../projections/projection.ts'
import { openStores } from '../../server/open-stores.ts'
import { makeBoard, makePlayer } from '../front-door/game-fixtures.ts'
import type { Body } from '../front-door/http-client.ts'
import { must, openWorld, tokenOf, type World } from '../front-door/world.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { pause } from '../until.ts'
import { closeRoomClients, openRoomsFixture, type RoomClient, type RoomsFixture } from './rooms-fixture.ts'

const ENTRIES = viewKey(entries)
const REBUILD = '/api/sys/rebuild/'
/** More than any other score. */
const LAST = '1000000000'

describe('a live board', function () {
  this.timeout(ON_SERVERS ? 120_000 : 30_000)
  let world: World
  let fixture: RoomsFixture
  let operator: string
  let board: string

  before(async () => {
    world = await openWorld()
    operator = await tokenOf(world, world.operator)
  })
  after(() => world.close())
  beforeEach(async () => {
    fixture = await openRoomsFixture(world)
    board = await makeBoard(world, fixture.game)
  })
  afterEach(() => closeRoomClients())

  const asked = async (method: string, path: string, body?: unknown): Promise<Builds> => {
    const answer = await world.call(method, path, { token: operator, ...(body === undefined ? {} : { body }) })
    return must(answer, answer.status === 202 ? 202 : 200)
  }

  async function untilOver(): Promise<Builds> {
    for (;;) {
      const builds = await asked('GET', REBUILD)
      if (builds.state === 'idle') return builds
      await pause(20)
    }
  }

  const submit = (player: string, score: string) =>
    world.call('POST', `/api/lb/${board}/score/`, { token: fixture.game.token, body: { player, score } })

  const read = async (): Promise<string[]> => {
    const page = must(await world.call('GET', `/api/lb/${board}/score/`, { token: fixture.game.token }), 200)
    return page.scores.map((row: Body) => `${row.player} ${row.score}`)
  }

  /** Starts to watch; each call of the result returns the rows after one more change. */
  async function watching() {
    const roomClient: RoomClient = await fixture.enter()
    const first = await roomClient.ask('watch', { leaderboard: board })
    expect(first.ok).to.equal(true)
    const held: Body[] = first.scores
    let seq: number = first.seq
    const shown = (): string[] => {
      expect(held.map(({ rank }) => rank)).to.deep.equal(held.map((_, i) => i + 1))
      return held.map(({ player, score }) => `${player} ${score}`)
    }
    const next = async () => {
      const received = await roomClient.next('board_changed')
      expect(received.seq).to.equal(++seq)
      for (const { rank, score } of received.changes) {
        if (score === null) held.length = Math.min(held.length, rank - 1)
        else held[rank - 1] = score
      }
      return shown()
    }
    return { roomClient, shown, next, seq: () => seq }
  }

  it('is sent again after a switch to rebuilt views, without a new event', async () => {
    const player = await makePlayer(world, fixture.game)
    must(await submit(player, '41'), 201)
    await plant(player, '42')
    const { shown, next, seq } = await watching()
    expect(shown()).to.deep.equal([`${player} 42`])
    await asked('POST', REBUILD, { views: ['entries'] })
    expect(await next()).to.deep.equal([`${player} 41`])
    expect((await untilOver()).last).to.deep.include({ outcome: 'switched', found: 1 })
    await asked('POST', `${REBUILD}back/`)
    expect(await next()).to.deep.equal([`${player} 42`])
    const later = await watching()
    expect([later.shown(), later.seq()]).to.deep.equal([[`${player} 42`], seq()])
    await asked('DELETE', `${REBUILD}back/`)
  })

  /** Changes the score in a stored document directly, without the views. */
  async function plant(player: string, score: string) {
    const { shown } = await asked('GET', REBUILD)
    const build = shown.find(({ view }) => view === ENTRIES)?.build ?? 0
    const view = viewKey({ ...entries, build })
    await world.end()
    const hooks = { onFailure: () => {}, warn: () => {}, now: () => world.clock.nowMs }
    const stores = await openStores({ ...world.storeUrls, dataDir: world.dataDir, production: false }, hooks)
    const [found] = await stores.views.find({ view, collection: 'entries', index: 'player', equal: [player], limit: 1 })
    if (found === undefined) throw new Error('there is no entry')
    const planted = { collection: 'entries', id: found.id, pos: `${found.pos}x`, body: { ...found.body, score } }
    await stores.views.commit([{ view, writes: [planted], checkpoints: new Map() }])
    await stores.close()
    await world.restart()
    operator = await tokenOf(world, world.operator)
  }

  it('never goes back while all views are rebuilt, and continues its seq', async () => {
    const players = await Promise.all(['Ada', 'Bob', 'Cy'].map((name) => makePlayer(world, fixture.game, name)))
    for (const player of players) must(await submit(player, '1'), 201)
    const { roomClient, shown, next } = await watching()
    let isSwitched = false
    const scoring = (async () => {
      for (let score = 2; !isSwitched; score++) {
        for (const player of players) must(await submit(player, String(score)), 200)
      }
      must(await submit(players[0] ?? '', LAST), 200)
    })()
    // If it fails, nothing more is sent, so nobody waits for a message.
    scoring.catch(() => roomClient.socket.disconnect())
    await asked('POST', REBUILD, {})
    const over = untilOver().finally(() => {
      isSwitched = true
    })
    for (let sum = 0; !shown()[0]?.endsWith(` ${LAST}`); ) {
      const rows = await next()
      expect(rows).to.have.length(players.length)
      const now = rows.reduce((total, row) => total + Number(row.split(' ')[1]), 0)
      expect(now).to.be.greaterThan(sum)
      sum = now
    }
    await scoring
    expect((await over).last?.outcome).to.equal('switched')
    expect(shown()).to.deep.equal(await read())
  })

  it('switches to other rules in one message, from the complete old order to the complete new one', async () => {
    const players = await Promise.all(['Ada', 'Bob', 'Cy'].map((name) => makePlayer(world, fixture.game, name)))
    for (const [n, player] of players.entries()) must(await submit(player, String(n + 1)), 201)
    const { shown, next } = await watching()
    const [ada, bob, cy] = players
    expect(shown()).to.deep.equal([`${cy} 3`, `${bob} 2`, `${ada} 1`])
    const change = async (body: object) =>
      must(await world.call('PUT', `/api/lb/${board}/`, { token: fixture.game.token, body }), 202)
    await change({ ordering: 'asc', max_score: '2' })
    expect(await next()).to.deep.equal([`${ada} 1`, `${bob} 2`])
    expect(await read()).to.deep.equal([`${ada} 1`, `${bob} 2`])
    await change({ ordering: 'desc', max_score: null })
    expect(await next()).to.deep.equal([`${cy} 3`, `${bob} 2`, `${ada} 1`])
  })
})
