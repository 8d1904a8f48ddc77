// A player who signs in by one way, for each of the ways there are; and every call that a player's token can make.

import { randomUUID } from 'node:crypto'
import { pathOf, TABLE } from '../security/samples.ts'
import type { Answered } from './http-client.ts'
import { type Door, PASSWORD } from './players-at-the-door.ts'
import { makePlayer } from './scenery.ts'
import { must } from './world.ts'

/** A player who is signed in, and may sign in again by the same way. */
export interface Member {
  readonly id: string
  readonly token: string
  readonly refreshToken: string
  /** Signs in by the way, at whichever node's door. */
  again(door: Door): Promise<Answered>
}

/**
 * Brings a player to the door who comes in by this way. `codeOf` asks for a code at a door and gives what was mailed.
 */
export type Way = (door: Door, codeOf: CodeOf) => Promise<Member>
export type CodeOf = (door: Door, email: string) => Promise<string>

const fresh = (): string => randomUUID().slice(0, 13)

const member = (body: Answered['body'], again: Member['again']): Member => ({
  id: body.player.id,
  token: body.token,
  refreshToken: body.refresh_token,
  again,
})

export const WAYS: Readonly<Record<string, Way>> = {
  guest: async (door) => {
    const body = must(await door.post('guest', { name: 'Ada' }), 201)
    return member(body, (at) => at.post('guest', { guest_token: body.guest_token }))
  },
  password: async (door) => {
    const login = fresh()
    return member(await door.register({ login }), (at) => at.post('password', { login, password: PASSWORD }))
  },
  code: async (door, codeOf) => {
    const email = `${fresh()}@example.com`
    const verify = async (at: Door) => at.post('code/verify', { email, code: await codeOf(at, email) })
    return member(must(await verify(door), 201), verify)
  },
  ticket: async (door) => {
    const player = await makePlayer(door.world, door.game)
    const tickets = [await door.ticket({ player }), await door.ticket({ player })]
    const redeem = (at: Door) => at.post('ticket/redeem', { ticket: tickets.pop() ?? '' })
    const first = must(await door.post('ticket/redeem', { ticket: await door.ticket({ player }) }), 200)
    return member(first, redeem)
  },
}

export const refresh = ({ world, game }: Door, { refreshToken }: Member): Promise<Answered> =>
  world.call('POST', `/api/gm/${game.id}/player/refresh/`, { body: { refresh_token: refreshToken } })

/** Every call of the table that asks for a token: what it is answered with this one, by the call's name. */
export async function everyCall({ world }: Door, token: string): Promise<[name: string, answer: Answered][]> {
  const calls = TABLE.filter(({ needs }) => needs !== 'nothing').map(async (route): Promise<[string, Answered]> => {
    const somewhere = new Proxy({}, { get: () => 'somewhere' })
    return [`${route.method} ${route.path}`, await world.call(route.method, pathOf(route, somewhere), { token })]
  })
  return Promise.all(calls)
}
