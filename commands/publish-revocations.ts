// Publishes to all nodes that tokens lose rights, before the call is answered. It publishes the present state of the
// stream, even if this call did not change it, so that a call can be repeated after a failed publication.

import type { Position } from '../domain/event.ts'
import type { Key } from '../domain/key.ts'
import type { Session } from '../domain/session.ts'
import type { KeyStatus, Noted, PlayerStatus, Subject, SubjectStatus } from '../stores/contract/revocations.ts'
import type { Handled } from './command-batch.ts'

/** Throws StoreUnavailable if publishing failed: 503, and the call can be repeated. */
export type PublishRevocations = (changes: readonly Noted[]) => Promise<void>

export interface RevocationDeps {
  readonly publish: PublishRevocations
}

/** The part of the result of `handle` about the whole stream: events of one append have one commit position. */
type Answered<State> = Pick<Handled<State, unknown>, 'current'>

export function publishKey({ publish }: RevocationDeps, prefix: string, handled: Answered<Key | null>): Promise<void> {
  return publish(
    noted(`key:${prefix}`, handled, (key) => key && { revoked: key.revoked, permissions: key.permissions }),
  )
}

interface EndedSession {
  readonly session: string
  readonly handled: Answered<Session | null>
}

/** Publishes all of them in one request to the store. */
export function publishSessions({ publish }: RevocationDeps, ended: readonly EndedSession[]): Promise<void> {
  return publish(
    ended.flatMap(({ session, handled }) =>
      noted(`session:${session}`, handled, (state) => state && { ended: state.ended }),
    ),
  )
}

/**
 * Publishes that a player was banned, unbanned or deleted. `statusOf` gets the present state of the stream.
 */
export function publishPlayer<State>(
  { publish }: RevocationDeps,
  player: string,
  handled: Answered<State>,
  statusOf: (state: State) => PlayerStatus | null,
): Promise<void> {
  return publish(noted(`player:${player}`, handled, statusOf))
}

function noted<State>(
  subject: Subject,
  { current }: Answered<State>,
  statusOf: (state: State) => SubjectStatus | null,
): Noted[] {
  const status = current === null ? null : statusOf(current.state)
  return current === null || status === null ? [] : [{ subject, pos: current.at.position, status }]
}

/**
 * Publishes that a game is deleted, and each of `keys` as revoked, for nodes that query the store by key. One request
 * to the store.
 */
export function publishDeletedGame(
  { publish }: RevocationDeps,
  game: string,
  keys: readonly string[],
  pos: Position,
): Promise<void> {
  const revoked: KeyStatus = { revoked: true, permissions: [] }
  const ofKeys = keys.map((prefix): Noted => ({ subject: `key:${prefix}`, pos, status: revoked }))
  return publish([{ subject: `game:${game}`, pos, status: { deleted: true } }, ...ofKeys])
}
