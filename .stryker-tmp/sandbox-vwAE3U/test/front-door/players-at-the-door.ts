// A game whose players sign in in every way: calls by a client key's token, as a game makes them.

import type { Answered, Body } from './http-client.ts'
import { mailedCode } from './mails.ts'
import { type MadeGame, makeGame, makeKey } from './scenery.ts'
import { must, type Signer, tokenOf, type World } from './world.ts'

export interface Door {
  readonly world: World
  readonly game: MadeGame
  /** A client key's token, which carries no player. */
  readonly client: string
  /** POST below `/api/gm/<g>/player/`. */
  post(way: string, body: unknown, token?: string, headers?: Readonly<Record<string, string>>): Promise<Answered>
  register(body: object, token?: string): Promise<Body>
  /** The code that is mailed to an address. */
  code(email: string, token?: string): Promise<string>
  ticket(whom: object): Promise<string>
  /** The status of `me/` with a token: 200 while it stands. */
  stands(token: string): Promise<number>
  /** The same game with a token of now. */
  renewed(): Promise<Door>
}

export const PASSWORD = 'correct horse battery'

export async function openDoor(world: World): Promise<Door> {
  const game = await makeGame(world)
  return doorOf(world, game, await makeKey(world, game, { kind: 'client' }))
}

async function doorOf(world: World, game: MadeGame, key: Signer): Promise<Door> {
  const client = await tokenOf(world, key)
  const at = `/api/gm/${game.id}/player/`
  const post: Door['post'] = (way, body, token = client, headers = {}) =>
    world.call('POST', `${at}${way}/`, { token, body, headers })
  return {
    world,
    game,
    client,
    post,
    register: async (body, token) => {
      const answer = await post('register', { password: PASSWORD, ...body }, token)
      return must(answer, token === undefined ? 201 : 200)
    },
    code: (email, token = client) => mailedCode(world, game.id, token, email),
    ticket: async (whom) => must(await post('ticket', whom, game.token), 201).ticket,
    renewed: () => doorOf(world, game, key),
    stands: async (token) => (await world.call('GET', `${at}me/`, { token })).status,
  }
}

/** Everything in an answer that a caller may tell apart, but the request's id. */
export function shown({ status, body, headers }: Answered) {
  const { 'x-request-id': _, date: __, 'content-length': ___, ...rest } = headers
  return { status, body: { ...body, request_id: null }, headers: rest }
}
