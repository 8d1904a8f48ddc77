// The dependencies of reads with `as_of`.

import type { Position } from '../../domain/event.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { QueryDeps } from '../deps.ts'
import type { ReadCaller } from '../work-queue.ts'

export interface PastDeps {
  readonly queries: QueryDeps
  readonly log: Pick<Log, 'readStream'>
  /** The position up to which a game's history is complete; null if there is none yet. */
  reached(game: string): Promise<Position | null>
  /** Identifies the active builds of the views that are read: cache entries of other builds are not used. */
  activeBuilds(): string
}

export interface FoldingDeps extends PastDeps {
  /** Maximum bytes of a board while it is folded. */
  readonly bytesOfFold: number
}

/** The requested instant and the caller. */
export interface Instant extends ReadCaller {
  /** ISO 8601, UTC, milliseconds; inclusive. */
  readonly asOf: string
  /** Aborts when the caller has disconnected. Created when first read: read it no sooner than needed. */
  readonly signal: AbortSignal
}
