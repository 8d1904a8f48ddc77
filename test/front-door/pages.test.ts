// Cached pages while their content changes: a cached page is never stale. From the second read on its JSON is put
// together from the cached texts of its entries.

import { expect } from 'chai'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { sharedWorld } from './shared.ts'
import { must, type World } from './world.ts'

const PLAYERS = 30

describe('cached pages', () => {
  let world: World
  let game: MadeGame
  let board: string
  let players: string[]

  const call = async (method: string, path: string, body?: object): Promise<Body> =>
    must(await world.call(method, path, { token: game.token, ...(body === undefined ? {} : { body }) }), 200)
  const scores = (query: string) => call('GET', `/api/lb/${board}/score/?${query}`)
  const submit = (player: string, score: number) =>
    world.call('POST', `/api/lb/${board}/score/`, { token: game.token, body: { score: String(score), player } })

  before(async () => {
    world = await sharedWorld()
    game = await makeGame(world)
    board = await makeBoard(world, game)
    players = []
    for (let n = 0; n < PLAYERS; n++) {
      const player = await makePlayer(world, game, `Player ${n}`)
      players.push(player)
      must(await submit(player, n * 10), 201)
    }
  })

  /** Each page, read three times, equals that part of the whole board. */
  async function expectPages(): Promise<void> {
    const { scores: all } = await scores('limit=100')
    for (const player of [players[0], players[14], players[29]]) {
      const rank = all.findIndex((entry: Body) => entry.player === player)
      const start = Math.max(0, Math.min(rank - 3, all.length - 7))
      for (let time = 0; time < 3; time++) {
        const page = await scores(`around=${player}&limit=7`)
        expect([page.offset, page.player_rank, page.scores]).to.deep.equal([
          start,
          rank + 1,
          all.slice(start, start + 7),
        ])
      }
    }
    for (let time = 0; time < 3; time++) {
      expect((await scores('limit=5&offset=3')).scores).to.deep.equal(all.slice(3, 8))
      expect((await scores('limit=5&order=worst')).scores).to.deep.equal(all.slice(-5).reverse())
    }
  }

  it('answers no page and no next one around a player without an entry', async () => {
    const outsider = await makePlayer(world, game, 'Outsider')
    for (const query of [`around=${outsider}`, 'around=nobody', `around=${outsider}&player_name=player`]) {
      const page = await scores(`${query}&limit=5`)
      const { leaderboard: _, ...shown } = page
      expect(shown).to.deep.equal({
        count: 30,
        offset: 0,
        limit: 5,
        next_offset: null,
        scores: [],
        player_rank: null,
        player_score: null,
      })
    }
  })

  it('shows current scores, names and ranks on pages that were read before', async () => {
    await expectPages()
    must(await submit(players[0] ?? '', 145), 200)
    await expectPages()
    await call('PUT', `/api/gm/${game.id}/players/${players[14]}/`, { name: 'Renamed' })
    await expectPages()
    const { scores: top } = await scores('limit=1')
    await call('DELETE', `/api/score/${top[0].id}/`)
    must(await submit(players[29] ?? '', 1), 201)
    await expectPages()
  })
})
