// The interface of an applier, which applies events to one view, and its dependencies.

import type { StoredEvent } from '../domain/event.ts'
import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Checkpoint, Views } from '../stores/contract/views.ts'
import type { Projection } from './projection.ts'
import type { ReplayDeps } from './replay.ts'
import type { ViewChanges } from './write.ts'

export interface Applier {
  readonly projection: Projection
  /**
   * Applies events in order. Rejects with the signal's reason, also inside an event, which must then be applied again.
   */
  apply(events: readonly StoredEvent[], signal?: AbortSignal): Promise<void>
  /** Number of unwritten changes: documents, and sort keys that leave rankings. */
  changed(): number
  /** Updates the bytes that this applier holds in the shared budget. Returns true if the budget requires a flush. */
  needsFlush(): boolean
  /**
   * Call it when the run has caught up with the log. Lowers the shared budget. If that requires a flush and no change
   * is unwritten, releases all loaded documents.
   */
  onCaughtUp(): void
  /** The writes to commit with these checkpoints. Afterwards the changes count as written. */
  take(checkpoints: ReadonlyMap<number, Checkpoint>): ViewChanges
  /** Discards all unwritten changes. Call it after a failed write, before the same events are applied again. */
  forget(): void
}

export interface ApplyDeps extends ReplayDeps {
  readonly views: Views
  readonly rankings: AllRankings
  /** Overrides the number of documents of one query that are written together. */
  readonly queriedAtOnce?: number
  /** Called for every event that was parked. */
  parked(view: string, event: StoredEvent, error: unknown): void
}
