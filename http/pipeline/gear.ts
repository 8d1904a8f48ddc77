// What the steps of the pipeline work with: the routes made ready, and what is made once for all requests.

import type { Refusal } from '../../domain/decider.ts'
import type { Edge } from '../connections/edge.ts'
import { malformed } from '../problem.ts'
import type { Route } from '../route.ts'
import type { Consistency } from './consistency.ts'
import type { PipelineDeps, RawRoute } from './deps.ts'
import type { LargeBodies } from './large-bodies.ts'
import type { OriginHints } from './origin-hints.ts'
import type { CheckPermission } from './permission.ts'
import type { Limiter } from './rates.ts'
import type { Recorder } from './record.ts'
import type { RecordedBytes } from './recorded-bytes.ts'
import type { Match, Table } from './table.ts'
import type { Writes } from './writes.ts'

/** A route of the API with the check of its permission, made once, at start. */
export interface ApiEntry {
  readonly kind: 'api'
  readonly method: Route['method']
  readonly path: string
  readonly route: Route
  readonly check: CheckPermission
}

export type Entry =
  | ApiEntry
  | { readonly kind: 'raw'; readonly method: Route['method']; readonly path: string; readonly route: RawRoute }

export type Matched = Match<Entry>

export interface Pipeline {
  readonly deps: PipelineDeps
  /** What callers may hold at once. */
  readonly edge: Edge
  readonly table: Table<Entry>
  /** Null where nothing is limited. */
  readonly limiter: Limiter | null
  /** Null where nothing is limited. */
  readonly recordedBytes: RecordedBytes | null
  /** Null where nothing is limited. */
  readonly writes: Writes | null
  readonly largeBodies: LargeBodies
  readonly consistency: Consistency
  readonly recorder: Recorder
  readonly originHints: OriginHints
  isClosing(): boolean
}

export function badEncoding(): Refusal {
  return malformed([{ pointer: '', detail: 'the path is not percent-encoded UTF-8' }], 'The path')
}
