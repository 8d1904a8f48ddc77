// Telling every node what a token may do no longer, before the caller hears that it is so. Told is how the stream then
// stood, whether or not this call changed it: so a call whose telling failed can be sent again.

import type { Position } from '../domain/event.ts'
import type { Key } from '../domain/key.ts'
import type { Session } from '../domain/session.ts'
import type { KeyStatus, Noted, PlayerStatus, Subject, SubjectStatus } from '../stores/contract/revocations.ts'
import type { Handled } from './command-batch.ts'

/** Throws StoreUnavailable if the nodes could not be notified: 503, and the call can be repeated safely. */
export type PublishRevocations = (changes: readonly Noted[]) => Promise<void>

export interface RevocationDeps {
  readonly publish: PublishRevocations
}

/** The result of `handle`, reduced to the whole stream: events of one append have one commit position. */
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

/** All of them in one exchange. */
export function publishSessions({ publish }: RevocationDeps, ended: readonly EndedSession[]): Promise<void> {
  return publish(
    ended.flatMap(({ session, handled }) =>
      noted(`session:${session}`, handled, (state) => state && { ended: state.ended }),
    ),
  )
}

/**
 * Banned, unbanned or deleted. `statusOf` is given the player's state as the stream stands, null where there is none.
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
 * A game is deleted, with some of its keys: each by itself too, for nodes that must ask the store of every key. One exchange with
 * the store.
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
