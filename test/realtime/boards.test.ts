// Live boards: the top of a leaderboard and its changes, sent to clients that may read its scores.

import { expect } from 'chai'
import { CLIENT_EVENTS } from '../../realtime/events.ts'
import { type Guest, keyToken, makeBoard, makePlayer, signInGuest } from '../front-door/game-fixtures.ts'
import { must, type World } from '../front-door/world.ts'
import { openRoomsFixture, type RoomClient, type RoomsFixture, roomsFixtureForEach } from './rooms-fixture.ts'

interface Row {
  readonly rank: number
  readonly score: string
  readonly player_name: string
}

describe('a live board', () => {
  let world: World
  let fixture: RoomsFixture
  let board: string
  roomsFixtureForEach((own) => {
    fixture = own
    world = own.world
  })
  beforeEach(async () => {
    board = await makeBoard(world, fixture.game)
  })

  const submit = (player: string, score: string, leaderboard = board) =>
    world.call('POST', `/api/lb/${leaderboard}/score/`, { token: fixture.game.token, body: { score, player } })

  /** The rows of a watcher: the first answer with all later changes applied. */
  function standing(rows: Row[]) {
    const byRank = new Map(rows.map((row) => [row.rank, row]))
    let seq = 0
    return {
      change: (received: { seq: number; changes: { rank: number; score: Row | null }[] }) => {
        expect(received.seq).to.equal(++seq)
        for (const { rank, score } of received.changes) {
          if (score === null) byRank.delete(rank)
          else byRank.set(rank, score)
        }
      },
      shown: () =>
        [...byRank.entries()].sort(([a], [b]) => a - b).map(([rank, row]) => [rank, row.player_name, row.score]),
    }
  }

  async function until(roomClient: RoomClient, own: ReturnType<typeof standing>, wanted: unknown) {
    while (JSON.stringify(own.shown()) !== JSON.stringify(wanted))
      own.change((await roomClient.next('board_changed')) as never)
  }

  it('sends all rows first, then changes by new entries, better entries, bans and unbans', async () => {
    const [ada, bob] = [await makePlayer(world, fixture.game, 'Ada'), await makePlayer(world, fixture.game, 'Bob')]
    must(await submit(ada, '10'), 201)
    const roomClient = await fixture.enter()
    const { ok, ...answer } = await roomClient.ask('watch', { leaderboard: board, top: 2 })
    expect(ok).to.equal(true)
    expect(await roomClient.next('board')).to.deep.equal(answer)
    expect([answer.leaderboard, answer.seq]).to.deep.equal([board, 0])
    const { scores } = must(await world.call('GET', `/api/lb/${board}/score/`, { token: fixture.game.token }), 200)
    expect(answer.scores, 'as any other reading of it').to.deep.equal(scores)
    const own = standing(answer.scores)
    must(await submit(bob, '20'), 201)
    await until(roomClient, own, [
      [1, 'Bob', '20'],
      [2, 'Ada', '10'],
    ])
    must(await submit(ada, '30'), 200)
    await until(roomClient, own, [
      [1, 'Ada', '30'],
      [2, 'Bob', '20'],
    ])
    const at = `/api/gm/${fixture.game.id}/players/${ada}`
    must(await world.call('POST', `${at}/ban/`, { token: fixture.game.token, body: {} }), 200)
    await until(roomClient, own, [[1, 'Bob', '20']])
    must(await world.call('POST', `${at}/unban/`, { token: fixture.game.token, body: {} }), 200)
    await until(roomClient, own, [
      [1, 'Ada', '30'],
      [2, 'Bob', '20'],
    ])
    const later = await fixture.enter()
    expect((await later.ask('watch', { leaderboard: board, top: 2 })).scores).to.have.length(2)
  })

  it('sends nothing after unwatch, and ends when the board is archived', async () => {
    const roomClient = await fixture.enter()
    const other = await makeBoard(world, fixture.game)
    for (const leaderboard of [board, other]) await roomClient.ask('watch', { leaderboard })
    expect(await roomClient.ask('unwatch', { leaderboard: board })).to.deep.equal({ ok: true, leaderboard: board })
    await roomClient.next('unwatched')
    const player = await makePlayer(world, fixture.game)
    must(await submit(player, '1'), 201)
    must(await submit(player, '1', other), 201)
    expect((await roomClient.next('board_changed')).leaderboard).to.equal(other)
    must(await world.call('DELETE', `/api/lb/${other}/`, { token: fixture.game.token }), 200)
    expect(await roomClient.next('unwatched')).to.deep.equal({ leaderboard: other })
    expect(roomClient.received).to.deep.equal([])
  })

  it('is watched by its key; answers and changes have the id', async () => {
    const keyed = await makeBoard(world, fixture.game, { key: 'weekly' })
    const player = await makePlayer(world, fixture.game)
    const roomClient = await fixture.enter()
    expect(await roomClient.ask('watch', { leaderboard: 'weekly' })).to.include({ ok: true, leaderboard: keyed })
    await roomClient.next('board')
    must(await submit(player, '1', keyed), 201)
    expect((await roomClient.next('board_changed')).leaderboard).to.equal(keyed)
    expect(await roomClient.ask('watch', { leaderboard: keyed }), 'the same watch').to.include({ leaderboard: keyed })
    expect(await roomClient.ask('unwatch', { leaderboard: 'weekly' })).to.deep.equal({ ok: true, leaderboard: keyed })
    expect(await roomClient.ask('unwatch', { leaderboard: 'unknown' })).to.deep.equal({
      ok: true,
      leaderboard: 'unknown',
    })
  })

  it('is no longer watched after unwatch with the key that it was watched by, which another board has now', async () => {
    const [one, two] = [await makeBoard(world, fixture.game, { key: 'weekly' }), await makeBoard(world, fixture.game)]
    const roomClient = await fixture.enter()
    await roomClient.ask('watch', { leaderboard: 'weekly' })
    await roomClient.ask('watch', { leaderboard: two })
    const set = (id: string, key: string | null) =>
      world.call('PUT', `/api/lb/${id}/`, { token: fixture.game.token, body: { key } })
    must(await set(one, null), 200)
    must(await set(two, 'weekly'), 200)
    expect(await roomClient.ask('unwatch', { leaderboard: 'weekly' })).to.deep.equal({ ok: true, leaderboard: one })
    expect(await roomClient.ask('unwatch', { leaderboard: 'weekly' })).to.deep.equal({ ok: true, leaderboard: two })
  })

  it('has its permission checked against the id; an unknown key is refused by the wildcard', async () => {
    const keyed = await makeBoard(world, fixture.game, { key: 'weekly' })
    const enter = async (...scores: string[]) => {
      const permissions = [`gm:${fixture.game.id}:realtime`, ...scores]
      const token = await keyToken(world, fixture.game, { kind: 'client', permissions })
      return fixture.enter({ token: (await signInGuest(world, fixture.game, token)).token })
    }
    const watched = async (roomClient: RoomClient, leaderboard: string) => {
      const { ok, code, detail } = await roomClient.ask('watch', { leaderboard })
      return ok === true ? 'ok' : code === 'permission_needed' ? detail : code
    }
    const [byId, byKey, wide] = [
      await enter(`lb:${keyed}:scores`),
      await enter('lb:weekly:scores', 'lb:unknown:scores'),
      await enter('lb:*:scores'),
    ]
    expect(await watched(byId, 'weekly')).to.equal('ok')
    expect(await watched(byKey, 'weekly')).to.equal('This needs lb:weekly:scores.')
    expect(await watched(byKey, 'unknown')).to.equal('This needs lb:unknown:scores.')
    expect(await watched(wide, 'unknown')).to.equal('leaderboard_not_found')
  })

  it('is named by id or key in every event that names one, and by nothing of another game', async () => {
    const naming = Object.entries(CLIENT_EVENTS).filter(([, { shape }]) => 'leaderboard' in shape)
    expect(naming.map(([name]) => name)).to.deep.equal(['watch', 'unwatch'])
    const other = await openRoomsFixture(world)
    const theirs = await makeBoard(world, other.game, { key: 'theirs' })
    const own = await makeBoard(world, fixture.game, { key: 'both' })
    await makeBoard(world, other.game, { key: 'both' })
    const roomClient = await fixture.enter()
    for (const leaderboard of [theirs, 'theirs']) {
      expect((await roomClient.ask('watch', { leaderboard })).code).to.equal('leaderboard_not_found')
      expect(await roomClient.ask('unwatch', { leaderboard })).to.deep.equal({ ok: true, leaderboard })
    }
    expect(await roomClient.ask('watch', { leaderboard: 'both' })).to.include({ ok: true, leaderboard: own })
    expect(await roomClient.ask('unwatch', { leaderboard: own })).to.deep.equal({ ok: true, leaderboard: own })
    expect(await roomClient.ask('unwatch', { leaderboard: 'both' })).to.deep.equal({ ok: true, leaderboard: own })
  })

  it('requires the permission to read its scores, and a board of the same game', async () => {
    const permissions = [`gm:${fixture.game.id}:realtime`, 'lb:*:details', 'lb:mine:scores']
    const token = await keyToken(world, fixture.game, { kind: 'client', permissions })
    const guest: Guest = await signInGuest(world, fixture.game, token)
    const roomClient = await fixture.enter({ token: guest.token })
    const answer = await roomClient.ask('watch', { leaderboard: board })
    expect([answer.code, answer.detail]).to.deep.equal(['permission_needed', `This needs lb:${board}:scores.`])
    const other = await openRoomsFixture(world)
    const theirs = await makeBoard(world, other.game)
    expect((await (await fixture.enter()).ask('watch', { leaderboard: theirs })).code).to.equal('leaderboard_not_found')
  })
})
