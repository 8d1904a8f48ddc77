// What a token may do no longer, told to every node apart from the views: the status of keys, sessions and players, as
// it became when one of them was revoked, ended, narrowed, banned or deleted. Every promise here is checked by
// test/contracts/revocations.ts, which each adapter signs.

import type { Position } from '../../domain/event.ts'
import type { PlayerBannedData } from '../../domain/player.ts'

/** How long a status is kept: as long as a token can live, and again as long for views that lag. */
export const REVOCATIONS_KEPT_MS = 2 * 60 * 60 * 1000

/** Its kind says the shape of its status. */
export type Subject = `key:${string}` | `session:${string}` | `player:${string}` | `game:${string}`

export interface KeyStatus {
  readonly revoked: boolean
  readonly permissions: readonly string[]
}

export interface SessionStatus {
  readonly ended: boolean
}

export interface PlayerStatus {
  /** As the ban says: when it is over (ISO 8601; null: not by itself), and the tenant's words about it. */
  readonly banned: PlayerBannedData | null
  readonly deleted: boolean
  /** How often they were signed out everywhere: sessions that began after fewer are over. Absent: never. */
  readonly signOuts?: number
}

/** Of a game that was deleted: of no other anything is noted. */
export interface GameStatus {
  readonly deleted: true
}

export type SubjectStatus = KeyStatus | SessionStatus | PlayerStatus | GameStatus

/** The whole status of a subject after the event at `pos`. No secret and nothing that a person wrote. */
export interface Noted<Status extends SubjectStatus = SubjectStatus> {
  readonly subject: Subject
  readonly pos: Position
  readonly status: Status
}

export interface Heard {
  /** What to ask with the next time; opaque. */
  readonly version: string
  /** In the order of their noting. */
  readonly changes: readonly Noted[]
  /**
   * True where the version asked with is not one of this store as it stands (null, or it was emptied or restarted):
   * these are from the beginning.
   */
  readonly whole: boolean
  /** True where there are more: ask again, with the new version. */
  readonly more: boolean
}

/** Every call is one exchange, and always settles. Rejects with StoreAway where the store does not answer. */
export interface Revocations {
  /**
   * Keeps each for REVOCATIONS_KEPT_MS from `nowMs` (Unix milliseconds) at least. One whose subject is kept with a
   * newer or equal position is passed over.
   */
  note(changes: readonly Noted[], nowMs: number): Promise<void>
  /** What was noted after a version. Costs next to nothing where that is nothing. */
  since(version: string | null): Promise<Heard>
  /** Those of these subjects that are kept, in no order. */
  find(subjects: readonly Subject[]): Promise<Noted[]>
}
