// What the steps of a verification share.

import type { History, LogRevisions } from '../../stores/contract/history.ts'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import type { Projection } from '../projection.ts'
import type { LiveDeps, LiveViews } from './live-views.ts'
import type { RebuiltViews } from './rebuilt-views.ts'

export interface VerifyDeps extends LiveDeps {
  /** The history for the rebuild: the log's own, or else the history view in the scratch store. */
  readonly history: History
  readonly projections: readonly Projection[]
  /** Absent if a server assigns the revisions of the log. */
  readonly revisions?: LogRevisions
  /** Null if they are in the memory of another process. */
  readonly rankings: AllRankings | null
  /** The scratch store for the rebuilt views: empty, and used by nobody else. */
  readonly scratch: Views
}

export interface VerifyProgress {
  readonly phase: 'checking' | 'rebuilding' | 'comparing'
  /** Events whose revisions were checked, events applied, or documents compared. */
  readonly done: number
  /** Progress of the phase between 0 and 1, estimated from positions. */
  readonly share: number
  readonly per_second: number
  readonly eta_seconds: number | null
  /** The view and collection being compared. */
  readonly at: string | null
}

export interface VerifyContext {
  readonly deps: VerifyDeps
  readonly rebuiltViews: RebuiltViews
  readonly live: LiveViews
  readonly signal: AbortSignal
  /** Called with the number of documents of the current collection that were compared. */
  compared(documents: number): void
}
