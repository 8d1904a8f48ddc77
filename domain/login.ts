// What a player signs in by: a login or an e-mail address, each claimed on a stream of its own, so that of all who want
// it one gets it. The log shows neither: only keyed hashes of them.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { streamName } from './streams.ts'

export type LoginKind = 'login' | 'email'

/** `digest` is a keyed hash of the login. */
export const loginStream = (game: string, digest: string): string => streamName('login-', game, digest)

/** `digest` is a keyed hash of the address. */
export const mailStream = (game: string, digest: string): string => streamName('mail-', game, digest)

export interface LoginClaimedData {
  readonly kind: LoginKind
  readonly player: string
  /** Under this id the vault keeps what belongs to it: a password's hash, the address. */
  readonly secret: string
  /** Whether the player is made by the claim, or was there before. */
  readonly makes: boolean
  /** What a player is made with, or renamed to; null: as they are. Sealed in the log. */
  readonly name: string | null
  /** A login's: hash of the address that was given with it. */
  readonly email: string | null
}

/** Its owner releases it. */
interface LoginReleasedData {
  readonly player: string
}

/**
 * Before the vault is given anything for a claim: what it is given under this id is nothing's where no claim follows.
 */
export interface LoginBegunData {
  readonly secret: string
}

export type LoginEvent =
  | { readonly type: 'LoginBegun'; readonly data: LoginBegunData }
  | { readonly type: 'LoginClaimed'; readonly data: LoginClaimedData }
  | { readonly type: 'LoginReleased'; readonly data: LoginReleasedData }
  | { readonly type: 'LoginContested'; readonly data: LoginReleasedData }

/** Who holds a login or an address of a game; null while nobody does. */
export const login: Aggregate<LoginClaimedData | null, LoginEvent> = {
  name: 'login',
  initial: null,
  evolve(state, event) {
    if (event.type === 'LoginClaimed') return event.data
    return event.type === 'LoginReleased' ? null : state
  },
}

/** Recorded each time that a claim is begun. 409 `login_taken` where it is somebody's under another secret. */
export function beginClaim(secret: string): Decision<LoginClaimedData | null, LoginEvent> {
  return (state) => {
    if (state === null) return [{ type: 'LoginBegun', data: { secret } }]
    if (state.secret === secret) return []
    throw loginTaken()
  }
}

/** 409 `login_taken` where it is somebody's. */
export function claimLogin(data: LoginClaimedData): Decision<LoginClaimedData | null, LoginEvent> {
  return (state) => {
    if (state === null) return [{ type: 'LoginClaimed', data }]
    if (state.secret === data.secret) return []
    throw loginTaken()
  }
}

export function loginTaken(): Refusal {
  const detail = 'A player of this game already has this login. Choose another one.'
  return new Refusal('conflict', 'login_taken', detail)
}

/**
 * Claims an address if it is free, and for a caller who waits records as much if it is taken: someone who registers must
 * not learn, by the answer or by its time, whose address is known.
 */
export function claimEmail(
  data: LoginClaimedData,
  isWaitedFor: boolean,
): Decision<LoginClaimedData | null, LoginEvent> {
  return (state) => {
    if (state === null) return [{ type: 'LoginClaimed', data }]
    if (state.secret === data.secret || !isWaitedFor) return []
    return [{ type: 'LoginContested', data: { player: data.player } }]
  }
}

/** Frees what was claimed under this secret; anybody else's stays. */
export function releaseLogin(secret: string): Decision<LoginClaimedData | null, LoginEvent> {
  return (state) => (state?.secret === secret ? [{ type: 'LoginReleased', data: { player: state.player } }] : [])
}
