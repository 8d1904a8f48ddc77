// A player's session: from sign-in until it expires, is signed out, or the player is deleted.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { streamName } from './streams.ts'

export const sessionStream = (session: string): string => streamName('session-', session)

export const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** Live sessions of a player; starting another one ends the oldest. */
export const MAX_SESSIONS = 100

export interface SessionStartedData {
  readonly player: string
  /** The API key of the sign-in call and its token's permissions: renewed tokens get no more than these. */
  readonly key: string
  readonly permissions: readonly string[]
  /** ISO 8601, UTC. */
  readonly expires: string
  /** The player's number of sign-outs everywhere when it began; absent in older events: 0. */
  readonly signOuts?: number
}

export type SessionEvent =
  | { readonly type: 'SessionStarted'; readonly data: SessionStartedData }
  | { readonly type: 'SessionEnded'; readonly data: Readonly<Record<string, never>> }

/** Whether the player was signed out everywhere since the session began. */
export const isSignedOut = ({ signOuts = 0 }: Pick<SessionStartedData, 'signOuts'>, ofPlayer = 0): boolean =>
  signOuts < ofPlayer

export interface Session extends SessionStartedData {
  readonly ended: boolean
}

export const session: Aggregate<Session | null, SessionEvent> = {
  name: 'session',
  initial: null,
  evolve(state, event) {
    if (event.type === 'SessionStarted') return { ...event.data, ended: false }
    if (state === null) return null
    return event.type === 'SessionEnded' ? { ...state, ended: true } : state
  },
}

export function startSession(data: SessionStartedData): Decision<Session | null, SessionEvent> {
  return (state) => (state === null ? [{ type: 'SessionStarted', data }] : [])
}

export const endSession: Decision<Session | null, SessionEvent> = (state) =>
  state === null || state.ended ? [] : [{ type: 'SessionEnded', data: {} }]

/** 401 `sign_in_rejected`: the same answer to every kind of invalid proof. */
export function signInRejected(): Refusal {
  const detail = 'Sign-in was refused: the login, password, code or token is wrong or no longer valid. Sign in again.'
  return new Refusal('unauthenticated', 'sign_in_rejected', detail)
}
