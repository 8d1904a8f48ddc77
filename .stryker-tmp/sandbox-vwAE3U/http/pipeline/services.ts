// Shared services of the middlewares, created once at start.

import type { Edge } from '../connections/edge.ts'
import { type Consistency, createConsistency } from './consistency.ts'
import type { PipelineDeps } from './deps.ts'
import { createLargeBodies, type LargeBodies } from './large-bodies.ts'
import { createOriginHints, type OriginHints } from './origin-hints.ts'
import { createLimiter, type Limiter } from './rates.ts'
import { createRecorder, type Recorder } from './record.ts'
import { createRecordedBytes, type RecordedBytes } from './recorded-bytes.ts'
import { createWrites, type Writes } from './writes.ts'

export interface Services {
  readonly deps: PipelineDeps
  /** Limits on connections, requests, bodies and answers. */
  readonly edge: Edge
  /** Null with RATE_LIMITS=off, as are the next two. */
  readonly limiter: Limiter | null
  readonly recordedBytes: RecordedBytes | null
  readonly writes: Writes | null
  readonly largeBodies: LargeBodies
  readonly consistency: Consistency
  readonly recorder: Recorder
  readonly originHints: OriginHints
  /** True once the server finishes running requests and accepts no new connections. */
  isClosing(): boolean
}

export function createServices(deps: PipelineDeps, edge: Edge, isClosing: () => boolean): Services {
  const { rateLimits, rates, ratesOfThisNode, recordedBytesPerDay: limitOf, metrics, log } = deps
  const isLimited = rateLimits !== 'off'
  return {
    deps,
    edge,
    limiter: isLimited ? createLimiter(rateLimits, rates, ratesOfThisNode) : null,
    recordedBytes: isLimited ? createRecordedBytes({ rates, limitOf, metrics }) : null,
    writes: isLimited ? createWrites() : null,
    largeBodies: createLargeBodies(),
    consistency: createConsistency(deps.consistency, deps.progress),
    recorder: createRecorder(log, metrics),
    originHints: createOriginHints(log),
    isClosing,
  }
}
