// What the server's answers made known, by game and of bounded size: calls are drawn from it.

import type { Signer } from '../front-door/world.ts'
import type { Random } from '../random.ts'

export interface KnownPlayer {
  readonly id: string
  token: string | null
  refreshToken: string | null
  guestToken: string | null
  login: string | null
  password: string | null
  externalId: string | null
  isBanned: boolean
}

export interface KnownBucket {
  readonly id: string
  readonly folders: string[]
  readonly files: string[]
  readonly uploads: string[]
}

export interface Challenge {
  readonly signer: Signer
  readonly requestId: string
  readonly nonce: string
}

/** A base token, renewed before it expires. */
export interface Access {
  signer: Signer | null
  token: string | null
  /** On the server's clock. */
  sinceMs: number
}

export interface KnownGame {
  readonly id: string
  name: string
  readonly server: Access
  readonly client: Access
  readonly keys: Signer[]
  readonly leaderboards: string[]
  readonly scores: string[]
  readonly players: KnownPlayer[]
  readonly buckets: KnownBucket[]
  readonly tickets: string[]
  readonly roomTickets: string[]
  readonly challenges: Challenge[]
  /** Addresses that a code was requested for. */
  readonly emails: string[]
  /** Event positions. */
  readonly positions: string[]
}

/** An upload's link with the number of bytes it takes, or a download's link. */
export type Link =
  | {
      readonly method: 'PUT'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly size: number
    }
  | { readonly method: 'GET'; readonly url: string }

export interface Pool {
  readonly operator: Access
  readonly games: KnownGame[]
  /** Tokens of revoked keys, deleted players and deleted games. */
  readonly deadTokens: string[]
  readonly consistencyTokens: string[]
  /** By path. */
  readonly etags: Map<string, string>
  readonly eventTypes: string[]
  readonly links: Link[]
}

const LIST_MAX = 30

export function emptyPool(operator: Signer): Pool {
  return {
    operator: { signer: operator, token: null, sinceMs: 0 },
    games: [],
    deadTokens: [],
    consistencyTokens: [],
    etags: new Map(),
    eventTypes: ['ScoreSubmitted'],
    links: [],
  }
}

export function knownGame(id: string, name: string, server: Signer): KnownGame {
  const access = (signer: Signer | null): Access => ({ signer, token: null, sinceMs: 0 })
  return {
    ...{ id, name, server: access(server), client: access(null), keys: [server] },
    ...{
      leaderboards: [],
      scores: [],
      players: [],
      buckets: [],
      tickets: [],
      roomTickets: [],
      challenges: [],
      emails: [],
      positions: [],
    },
  }
}

/** Adds what is not there yet; a full list loses its oldest. */
export function remember<T>(list: T[], one: T, max = LIST_MAX): void {
  if (list.includes(one)) return
  list.push(one)
  if (list.length > max) list.shift()
}

export function forget<T>(list: T[], one: T): void {
  const at = list.indexOf(one)
  if (at >= 0) list.splice(at, 1)
}

export function forgetWhere<T>(list: T[], matches: (one: T) => boolean): void {
  const found = list.find(matches)
  if (found !== undefined) forget(list, found)
}

/** Draws one and removes it: for what works once. */
export function take<T>(list: T[], random: Random): T | null {
  const one = random.any(list)
  if (one !== null) forget(list, one)
  return one
}

export function knownPlayer(game: KnownGame, id: string): KnownPlayer {
  const found = game.players.find((player) => player.id === id)
  if (found !== undefined) return found
  const made: KnownPlayer = {
    ...{ id, token: null, refreshToken: null, guestToken: null, login: null, password: null, externalId: null },
    isBanned: false,
  }
  remember(game.players, made)
  return made
}

export function knownBucket(game: KnownGame, id: string): KnownBucket {
  const found = game.buckets.find((bucket) => bucket.id === id)
  if (found !== undefined) return found
  const made: KnownBucket = { id, folders: ['/'], files: [], uploads: [] }
  remember(game.buckets, made, 6)
  return made
}
