// A login or e-mail address that a player signs in with. Each is claimed on its own stream, so that one claimant gets
// it. The log contains only keyed hashes of them.

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
  /** The id of its secrets in the vault: a password's hash, the address. */
  readonly secret: string
  /** Whether the claim creates the player. */
  readonly makes: boolean
  /** The name of the created player, or the new name; null: unchanged. Encrypted in the log. */
  readonly name: string | null
  /** For a login: keyed hash of the address given with it. */
  readonly email: string | null
}

interface LoginReleasedData {
  readonly player: string
}

/** Recorded before secrets for a claim are stored: if no claim follows, the secrets with this id can be destroyed. */
export interface LoginBegunData {
  readonly secret: string
}

export type LoginEvent =
  | { readonly type: 'LoginBegun'; readonly data: LoginBegunData }
  | { readonly type: 'LoginClaimed'; readonly data: LoginClaimedData }
  | { readonly type: 'LoginReleased'; readonly data: LoginReleasedData }
  | { readonly type: 'LoginContested'; readonly data: LoginReleasedData }

/** The present claim on a login or address of a game; null if it is free. */
export const login: Aggregate<LoginClaimedData | null, LoginEvent> = {
  name: 'login',
  initial: null,
  evolve(state, event) {
    if (event.type === 'LoginClaimed') return event.data
    return event.type === 'LoginReleased' ? null : state
  },
}

/** Recorded each time a claim begins. 409 `login_taken` if another claim has it. */
export function beginClaim(secret: string): Decision<LoginClaimedData | null, LoginEvent> {
  return (state) => {
    if (state === null) return [{ type: 'LoginBegun', data: { secret } }]
    if (state.secret === secret) return []
    throw loginTaken()
  }
}

/** 409 `login_taken` if another claim has it. */
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
 * Claims an address if it is free. If it is taken and a caller waits, it records an event as well: neither the answer
 * nor its time may reveal whether an address is registered.
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

/** Releases the claim with this secret; another claim stays. */
export function releaseLogin(secret: string): Decision<LoginClaimedData | null, LoginEvent> {
  return (state) => (state?.secret === secret ? [{ type: 'LoginReleased', data: { player: state.player } }] : [])
}
