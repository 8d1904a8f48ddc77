// Reads the revisions of a log as stored, to check that each stream has them without gap and duplicate. A log on a
// server needs no such check: the server assigns the revisions.

import type { Position } from '../../domain/event.ts'
import type { EventPlace } from '../../domain/stream-revisions.ts'

export interface LogRevisions {
  /** Events after a position (null: from the beginning), in log order, at most `limit`, without their data. */
  places(after: Position | null, limit: number): Promise<EventPlace[]>
  /**
   * Of each repair of this log: the first event that got another revision, with the one it has now. A copy of the log
   * in which one of these events has another revision is from before that repair.
   */
  repaired(): Promise<readonly EventPlace[]>
}
