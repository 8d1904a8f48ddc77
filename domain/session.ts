// A player's session: from sign-in until it ends by itself, by sign-out, or with the player.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { streamName } from './streams.ts'

export const sessionStream = (session: string): string => streamName('session-', session)

export const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** A player's live sessions; with another one the oldest ends. */
export const MAX_SESSIONS = 100

export interface SessionStartedData {
  readonly player: string
  /** The key it was started with, and what the token of that call carried: a renewed token carries no more. */
  readonly key: string
  readonly permissions: readonly string[]
  /** ISO 8601, UTC. */
  readonly expires: string
  /**
   * How often the player had been signed out everywhere when it began; absent from
   * sessions older than that count: never.
   */
  readonly signOuts?: number
}

export type SessionEvent =
  | { readonly type: 'SessionStarted'; readonly data: SessionStartedData }
  | { readonly type: 'SessionEnded'; readonly data: Readonly<Record<string, never>> }

/** Whether the player was signed out everywhere since a session began. */
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

/** 401 `sign_in_rejected`: one answer to every kind of proof that is none. */
export function signInRejected(): Refusal {
  const detail =
    'Sign-in was refused: what was sent does not prove who the player is, or no longer does. Sign in again.'
  return new Refusal('unauthenticated', 'sign_in_rejected', detail)
}
