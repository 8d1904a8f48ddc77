// Signs players in by each sign-in method, and calls every route with a player’s token.

import { randomUUID } from 'node:crypto'
import { pathOf, TABLE } from '../security/samples.ts'
import { makePlayer } from './game-fixtures.ts'
import type { Answered } from './http-client.ts'
import { PASSWORD, type SignInApi } from './sign-in-api.ts'
import { must } from './world.ts'

/** A signed-in player, who can sign in again by the same method. */
export interface SignedInPlayer {
  readonly id: string
  readonly token: string
  readonly refreshToken: string
  /** Signs in by the same method, on any node. */
  signInAgain(api: SignInApi): Promise<Answered>
}

/**
 * Signs a new player in by one method. `codeOf` requests a code and returns the mailed one.
 */
export type SignInMethod = (api: SignInApi, codeOf: CodeOf) => Promise<SignedInPlayer>
export type CodeOf = (api: SignInApi, email: string) => Promise<string>

const fresh = (): string => randomUUID().slice(0, 13)

const signedInPlayer = (body: Answered['body'], signInAgain: SignedInPlayer['signInAgain']): SignedInPlayer => ({
  id: body.player.id,
  token: body.token,
  refreshToken: body.refresh_token,
  signInAgain,
})

export const SIGN_IN_METHODS: Readonly<Record<string, SignInMethod>> = {
  guest: async (api) => {
    const body = must(await api.post('guest', { name: 'Ada' }), 201)
    return signedInPlayer(body, (at) => at.post('guest', { guest_token: body.guest_token }))
  },
  password: async (api) => {
    const login = fresh()
    return signedInPlayer(await api.register({ login }), (at) => at.post('password', { login, password: PASSWORD }))
  },
  code: async (api, codeOf) => {
    const email = `${fresh()}@example.com`
    const verify = async (at: SignInApi) => at.post('code/verify', { email, code: await codeOf(at, email) })
    return signedInPlayer(must(await verify(api), 201), verify)
  },
  ticket: async (api) => {
    const player = await makePlayer(api.world, api.game)
    const tickets = [await api.ticket({ player }), await api.ticket({ player })]
    const redeem = (at: SignInApi) => at.post('ticket/redeem', { ticket: tickets.pop() ?? '' })
    const first = must(await api.post('ticket/redeem', { ticket: await api.ticket({ player }) }), 200)
    return signedInPlayer(first, redeem)
  },
}

export const refresh = ({ world, game }: SignInApi, { refreshToken }: SignedInPlayer): Promise<Answered> =>
  world.call('POST', `/api/gm/${game.id}/player/refresh/`, { body: { refresh_token: refreshToken } })

/** Backups are of embedded stores: nodes on servers have no such route. */
const NOT_ON_SERVERS = '/api/sys/backup/'

/**
 * Calls every route of a node on servers that needs a token with this one; returns the answers by the name of the call.
 */
export async function everyCall({ world }: SignInApi, token: string): Promise<[name: string, answer: Answered][]> {
  const routes = TABLE.filter(({ needs, path }) => needs !== 'nothing' && path !== NOT_ON_SERVERS)
  const calls = routes.map(async (route): Promise<[string, Answered]> => {
    const somewhere = new Proxy({}, { get: () => 'somewhere' })
    return [`${route.method} ${route.path}`, await world.call(route.method, pathOf(route, somewhere), { token })]
  })
  return Promise.all(calls)
}
