// What the pipeline is given, and the services of the middlewares made from it once at start.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TokenSeal } from '../../credentials/sealed-token.ts'
import type { Trusted } from '../../runtime/network.ts'
import type { RateLimits } from '../../runtime/rate-limits.ts'
import type { Buckets } from '../../stores/contract/transient.ts'
import type { Edge } from '../connections/edge.ts'
import type { EdgeLimits } from '../connections/limits.ts'
import type { Caller } from '../route.ts'
import type { Site } from '../site/site.ts'
import type { BoardKeys } from './board-key.ts'
import { type Consistency, createConsistency, type ViewsProgress } from './consistency.ts'
import { createOriginHints, type OriginHints, type Origins } from './cors.ts'
import type { Ready } from './health.ts'
import { createLargeBodies, type LargeBodies } from './large-bodies.ts'
import { MovedKeys, type MovedKeysDeps } from './moved-keys.ts'
import { createLimiter, type Limiter } from './rates.ts'
import { createRecorder, type Recorder } from './record.ts'
import { createRecordedBytes, type RecordedBytes } from './recorded-bytes.ts'
import { createWrites, type Writes } from './writes.ts'

export interface Services {
  readonly deps: PipelineDeps
  readonly edge: Edge
  /** Null with RATE_LIMITS=off, as are the next two. */
  readonly limiter: Limiter | null
  readonly recordedBytes: RecordedBytes | null
  readonly writes: Writes | null
  readonly largeBodies: LargeBodies
  readonly consistency: Consistency
  readonly movedKeys: MovedKeys
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
    movedKeys: new MovedKeys(deps),
    recorder: createRecorder(log, metrics),
    originHints: createOriginHints(log),
    isClosing,
  }
}

export interface PipelineDeps extends Origins, MovedKeysDeps, BoardKeys {
  /** The caller of a bearer token. Throws Refusal `unauthenticated` (401). */
  authenticate(token: string, nowMs: number): Promise<Caller>
  /** Buckets shared by all nodes. When they reject, this node counts alone; handshakes fail closed. */
  readonly rates: Buckets
  /** The bytes that a game may record in a day; null: no limit. */
  recordedBytesPerDay(game: string): Promise<number | null>
  /** Buckets of this node alone. Embedded: the same as `rates`. */
  readonly ratesOfThisNode: Buckets
  readonly rateLimits: RateLimits
  readonly trustedProxies?: Trusted
  readonly edgeLimits?: Partial<EdgeLimits>
  /** Encrypts consistency tokens; the same on every node of the installation. */
  readonly consistency: TokenSeal
  readonly progress: ViewsProgress
  readonly log: Logger
  readonly metrics: Registry
  /** Unix milliseconds. */
  now(): number
  readonly ready: Ready
  /** Serves paths outside /api/. Default: none. */
  readonly site?: Site
}
