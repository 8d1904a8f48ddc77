// Live boards: the head of a leaderboard and what changes in it, sent to clients that may read its scores.

import { expect } from 'chai'
import { type Guest, keyToken, makeBoard, makePlayer, signInGuest } from '../front-door/scenery.ts'
import { must, type World } from '../front-door/world.ts'
import { openParty, type Party, partyForEach, type Visitor } from './party.ts'

interface Row {
  readonly rank: number
  readonly score: string
  readonly player_name: string
}

describe('a live board', () => {
  let world: World
  let party: Party
  let board: string
  partyForEach((own) => {
    party = own
    world = own.world
  })
  beforeEach(async () => {
    board = await makeBoard(world, party.game)
  })

  const submit = (player: string, score: string, leaderboard = board) =>
    world.call('POST', `/api/lb/${leaderboard}/score/`, { token: party.game.token, body: { score, player } })

  /** What a watcher has come to hold: told once, and changed since. */
  function standing(rows: Row[]) {
    const byRank = new Map(rows.map((row) => [row.rank, row]))
    let seq = 0
    return {
      change: (told: { seq: number; changes: { rank: number; score: Row | null }[] }) => {
        expect(told.seq).to.equal(++seq)
        for (const { rank, score } of told.changes) {
          if (score === null) byRank.delete(rank)
          else byRank.set(rank, score)
        }
      },
      shown: () =>
        [...byRank.entries()].sort(([a], [b]) => a - b).map(([rank, row]) => [rank, row.player_name, row.score]),
    }
  }

  async function until(visitor: Visitor, own: ReturnType<typeof standing>, wanted: unknown) {
    while (JSON.stringify(own.shown()) !== JSON.stringify(wanted))
      own.change((await visitor.next('board_changed')) as never)
  }

  it('is sent whole, then its changes: new entries, better ones, bans and their end', async () => {
    const [ada, bob] = [await makePlayer(world, party.game, 'Ada'), await makePlayer(world, party.game, 'Bob')]
    must(await submit(ada, '10'), 201)
    const visitor = await party.enter()
    const { ok, ...answer } = await visitor.ask('watch', { leaderboard: board, top: 2 })
    expect(ok).to.equal(true)
    expect(await visitor.next('board')).to.deep.equal(answer)
    expect([answer.leaderboard, answer.seq]).to.deep.equal([board, 0])
    const { scores } = must(await world.call('GET', `/api/lb/${board}/score/`, { token: party.game.token }), 200)
    expect(answer.scores, 'as any other reading of it').to.deep.equal(scores)
    const own = standing(answer.scores)
    must(await submit(bob, '20'), 201)
    await until(visitor, own, [
      [1, 'Bob', '20'],
      [2, 'Ada', '10'],
    ])
    must(await submit(ada, '30'), 200)
    await until(visitor, own, [
      [1, 'Ada', '30'],
      [2, 'Bob', '20'],
    ])
    const at = `/api/gm/${party.game.id}/players/${ada}`
    must(await world.call('POST', `${at}/ban/`, { token: party.game.token, body: {} }), 200)
    await until(visitor, own, [[1, 'Bob', '20']])
    must(await world.call('POST', `${at}/unban/`, { token: party.game.token, body: {} }), 200)
    await until(visitor, own, [
      [1, 'Ada', '30'],
      [2, 'Bob', '20'],
    ])
    const later = await party.enter()
    expect((await later.ask('watch', { leaderboard: board, top: 2 })).scores).to.have.length(2)
  })

  it('is sent no more once it is unwatched, and ends where it is archived', async () => {
    const visitor = await party.enter()
    const other = await makeBoard(world, party.game)
    for (const leaderboard of [board, other]) await visitor.ask('watch', { leaderboard })
    expect(await visitor.ask('unwatch', { leaderboard: board })).to.deep.equal({ ok: true, leaderboard: board })
    await visitor.next('unwatched')
    const player = await makePlayer(world, party.game)
    must(await submit(player, '1'), 201)
    must(await submit(player, '1', other), 201)
    expect((await visitor.next('board_changed')).leaderboard).to.equal(other)
    must(await world.call('DELETE', `/api/lb/${other}/`, { token: party.game.token }), 200)
    expect(await visitor.next('unwatched')).to.deep.equal({ leaderboard: other })
    expect(visitor.told).to.deep.equal([])
  })

  it('is for those who may read its scores, of the game’s own boards', async () => {
    const permissions = [`gm:${party.game.id}:realtime`, 'lb:*:details', 'lb:mine:scores']
    const token = await keyToken(world, party.game, { kind: 'client', permissions })
    const guest: Guest = await signInGuest(world, party.game, token)
    const visitor = await party.enter({ token: guest.token })
    const answer = await visitor.ask('watch', { leaderboard: board })
    expect([answer.code, answer.detail]).to.deep.equal(['permission_needed', `This needs lb:${board}:scores.`])
    const other = await openParty(world)
    const theirs = await makeBoard(world, other.game)
    expect((await (await party.enter()).ask('watch', { leaderboard: theirs })).code).to.equal('leaderboard_not_found')
  })
})
