// A game whose players use every sign-in method, called with a client key’s token as a game would.

import { type MadeGame, makeGame, makeKey } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { mailedCode } from './mails.ts'
import { must, type Signer, tokenOf, type World } from './world.ts'

export interface SignInApi {
  readonly world: World
  readonly game: MadeGame
  /** A token of a client key, without a player. */
  readonly client: string
  /** POST below `/api/gm/<g>/player/`. */
  post(path: string, body: unknown, token?: string, headers?: Readonly<Record<string, string>>): Promise<Answered>
  register(body: object, token?: string): Promise<Body>
  /** Requests a code for an address and returns the mailed one. */
  code(email: string, token?: string): Promise<string>
  ticket(player: object): Promise<string>
  /** The status of `me/` with a token: 200 while it is valid. */
  meStatus(token: string): Promise<number>
  /** The same game with a new client token. */
  withNewToken(): Promise<SignInApi>
}

export const PASSWORD = 'correct horse battery'

export async function openSignInApi(world: World): Promise<SignInApi> {
  const game = await makeGame(world)
  return signInApiOf(world, game, await makeKey(world, game, { kind: 'client' }))
}

async function signInApiOf(world: World, game: MadeGame, key: Signer): Promise<SignInApi> {
  const client = await tokenOf(world, key)
  const at = `/api/gm/${game.id}/player/`
  const post: SignInApi['post'] = (path, body, token = client, headers = {}) =>
    world.call('POST', `${at}${path}/`, { token, body, headers })
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
    ticket: async (player) => must(await post('ticket', player, game.token), 201).ticket,
    withNewToken: () => signInApiOf(world, game, key),
    meStatus: async (token) => (await world.call('GET', `${at}me/`, { token })).status,
  }
}

/** Everything in an answer that a caller could distinguish, except the request id. */
export function comparable({ status, body, headers }: Answered) {
  const { 'x-request-id': _, date: __, 'content-length': ___, ...rest } = headers
  return { status, body: { ...body, request_id: null }, headers: rest }
}
