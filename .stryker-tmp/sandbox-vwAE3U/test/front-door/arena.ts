// A guest on the shared server, and a board to submit to, a fresh one for every test.

import type { Answered } from './http-client.ts'
import { clientToken, type Guest, type MadeGame, makeBoard, makeGame, signInGuest } from './scenery.ts'
import { sharedWorld } from './shared.ts'
import type { World } from './world.ts'

export interface Arena {
  readonly world: World
  readonly game: MadeGame
  /** Named Ada. */
  readonly guest: Guest
  /** Changed by `freshBoard`. */
  board: string
  freshBoard(wish?: object): Promise<void>
  /** By default the guest submits to the board. */
  submit(body: unknown, token?: string, board?: string): Promise<Answered>
  list(query?: string): Promise<Answered>
}

export async function openArena(): Promise<Arena> {
  const world = await sharedWorld()
  const game = await makeGame(world)
  const guest = await signInGuest(world, game, await clientToken(world, game), 'Ada')
  const arena: Arena = {
    world,
    game,
    guest,
    board: '',
    freshBoard: async (wish) => {
      arena.board = await makeBoard(world, game, wish)
    },
    submit: (body, token = guest.token, board = arena.board) =>
      world.call('POST', `/api/lb/${board}/score/`, { token, body }),
    list: (query = '') => world.call('GET', `/api/lb/${arena.board}/score/${query}`, { token: guest.token }),
  }
  return arena
}
