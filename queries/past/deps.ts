// What reading the past works with.

import type { Position } from '../../domain/event.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { QueryDeps } from '../deps.ts'
import type { ReadCaller } from '../work-queue.ts'

export interface PastDeps {
  readonly queries: QueryDeps
  readonly log: Pick<Log, 'readStream' | 'head' | 'eventAt'>
  /** How far the history of a game is whole by now; null where nothing is there yet. */
  reached(game: string): Promise<Position | null>
  /** Names the builds of the views that are read of at the moment: what is kept of others is not asked any more. */
  shown(): string
}

export interface FoldingDeps extends PastDeps {
  /** What one may take of memory while it is folded. */
  readonly bytesOfFold: number
}

/** An instant asked for, and by whom. */
export interface Instant extends ReadCaller {
  /** ISO 8601, UTC, milliseconds: what happened then is in. */
  readonly asOf: string
  /** Unix milliseconds, of the call. */
  readonly nowMs: number
  /** Aborts when the caller is gone. Made when first read: read it no sooner than it is needed. */
  readonly signal: AbortSignal
}
