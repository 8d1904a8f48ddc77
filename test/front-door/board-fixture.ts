// A guest on the shared server, and a leaderboard, renewed for every test.

import { clientToken, type Guest, type MadeGame, makeBoard, makeGame, signInGuest } from './game-fixtures.ts'
import type { Answered } from './http-client.ts'
import { sharedWorld } from './shared.ts'
import type { World } from './world.ts'

export interface BoardFixture {
  readonly world: World
  readonly game: MadeGame
  /** Named Ada. */
  readonly guest: Guest
  /** Replaced by `freshBoard`. */
  board: string
  freshBoard(wish?: object): Promise<void>
  /** By default the guest submits to the board. */
  submit(body: unknown, token?: string, board?: string): Promise<Answered>
  list(query?: string): Promise<Answered>
}

export async function openBoardFixture(): Promise<BoardFixture> {
  const world = await sharedWorld()
  const game = await makeGame(world)
  const guest = await signInGuest(world, game, await clientToken(world, game), 'Ada')
  const fixture: BoardFixture = {
    world,
    game,
    guest,
    board: '',
    freshBoard: async (wish) => {
      fixture.board = await makeBoard(world, game, wish)
    },
    submit: (body, token = guest.token, board = fixture.board) =>
      world.call('POST', `/api/lb/${board}/score/`, { token, body }),
    list: (query = '') => world.call('GET', `/api/lb/${fixture.board}/score/${query}`, { token: guest.token }),
  }
  return fixture
}
