// What the parts of a verification share.

import type { History } from '../../stores/contract/history.ts'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import type { Projection } from '../projection.ts'
import type { LiveDeps, LiveViews } from './live-views.ts'
import type { RebuiltViews } from './rebuilt-views.ts'

export interface VerifyDeps extends LiveDeps {
  /** Of what is built beside: the log's own, or where it has none the view of it among those. */
  readonly history: History
  readonly projections: readonly Projection[]
  /** Null where they live in a process that is not this one. */
  readonly rankings: AllRankings | null
  /** Where the views are built: empty, and nobody else's. */
  readonly beside: Views
}

export interface VerifyProgress {
  readonly phase: 'rebuilding' | 'comparing'
  /** Events applied, or documents compared. */
  readonly done: number
  /** Of the phase, as far as positions tell; between 0 and 1. */
  readonly share: number
  readonly per_second: number
  readonly eta_seconds: number | null
  /** The view and collection that is compared. */
  readonly at: string | null
}

export interface VerifyContext {
  readonly deps: VerifyDeps
  readonly beside: RebuiltViews
  readonly live: LiveViews
  readonly signal: AbortSignal
  /** Told how many documents of the collection at hand were compared. */
  compared(documents: number): void
}
