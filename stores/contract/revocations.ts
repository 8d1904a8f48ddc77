// Tells every node about revoked tokens faster than the views do: the new status of a key, session, player or game
// after it was revoked, ended, narrowed, banned or deleted. test/contracts/revocations.suite.ts checks every promise
// here; each adapter runs it.

import type { Position } from '../../domain/event.ts'
import type { PlayerBannedData } from '../../domain/player.ts'

/** How long a status is kept: the maximum lifetime of a token, doubled for views that lag. */
export const REVOCATIONS_KEPT_MS = 2 * 60 * 60 * 1000

/** The prefix determines the type of the status. */
export type Subject = `key:${string}` | `session:${string}` | `player:${string}` | `game:${string}`

export interface KeyStatus {
  readonly revoked: boolean
  readonly permissions: readonly string[]
}

export interface SessionStatus {
  readonly ended: boolean
}

export interface PlayerStatus {
  /** The data of the ban: when it ends (ISO 8601; null: never by itself) and the tenant's reason. */
  readonly banned: PlayerBannedData | null
  readonly deleted: boolean
  /** Number of sign-outs everywhere; sessions that began under a lower number are over. Absent: 0. */
  readonly signOuts?: number
}

/** Only deleted games have a status. */
interface GameStatus {
  readonly deleted: true
}

export type SubjectStatus = KeyStatus | SessionStatus | PlayerStatus | GameStatus

/** The full status of a subject after the event at `pos`. Contains no secret and no personal text. */
export interface Noted<Status extends SubjectStatus = SubjectStatus> {
  readonly subject: Subject
  readonly pos: Position
  readonly status: Status
}

export interface Heard {
  /** Cursor for the next call of `since`; opaque. */
  readonly version: string
  /** In the order in which they were noted. */
  readonly changes: readonly Noted[]
  /**
   * True if the given version is null or not known to this store (it was emptied or restarted): the changes start from
   * the beginning.
   */
  readonly whole: boolean
  /** True if there are more changes: call again with the new version. */
  readonly more: boolean
}

/** Every call is one round trip and always settles. Rejects with StoreUnavailable if the store does not answer. */
export interface Revocations {
  /**
   * Keeps each change for at least REVOCATIONS_KEPT_MS from `nowMs` (Unix milliseconds). Skips a change if the store
   * has the subject at the same or a newer position.
   */
  note(changes: readonly Noted[], nowMs: number): Promise<void>
  /** The changes after a version. Cheap if there are none. */
  since(version: string | null): Promise<Heard>
  /** The stored statuses of these subjects, in no particular order. */
  find(subjects: readonly Subject[]): Promise<Noted[]>
}
