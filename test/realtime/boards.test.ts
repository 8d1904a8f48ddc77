// Live boards: the top of a leaderboard and its changes, sent to clients that may read its scores.

import { expect } from 'chai'
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
