// Dependencies of the HTTP pipeline, and the type of raw routes.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TokenSeal } from '../../credentials/sealed-token.ts'
import type { Trusted } from '../../runtime/network.ts'
import type { RateLimits } from '../../runtime/rate-limits.ts'
import type { Buckets } from '../../stores/contract/transient.ts'
import type { EdgeLimits } from '../connections/limits.ts'
import type { Answer, Caller, Method } from '../route.ts'
import type { Site } from '../site/site.ts'
import type { Progress } from './consistency.ts'
import type { Context } from './context.ts'
import type { Origins } from './cors.ts'
import type { Ready } from './health.ts'
import type { IdempotencyDeps } from './idempotency.ts'

export interface PipelineDeps extends Origins, IdempotencyDeps {
  /** The caller of a bearer token. Throws Refusal `unauthenticated` (401). */
  authenticate(token: string, nowMs: number): Promise<Caller>
  /** Buckets shared by all nodes. When they reject, this node counts alone; handshakes fail closed. */
  readonly rates: Buckets
  /** The bytes that a game may record in a day; null: no limit. */
  recordedBytesPerDay(game: string): Promise<number | null>
  /** Buckets of this node alone. Embedded: the same as `rates`. */
  readonly ratesOfThisNode: Buckets
  readonly rateLimits: RateLimits
  /** Proxies whose X-Forwarded-For is believed. Default: none. */
  readonly trustedProxies?: Trusted
  /** Overrides of the limits in connections/limits.ts. */
  readonly edgeLimits?: Partial<EdgeLimits>
  /** Encrypts consistency tokens; the same on every node of the installation. */
  readonly consistency: TokenSeal
  readonly progress: Progress
  readonly log: Logger
  readonly metrics: Registry
  /** Unix milliseconds. */
  now(): number
  readonly ready: Ready
  /** Serves paths outside /api/. Default: none. */
  readonly site?: Site
}

/**
 * A route that reads and writes bytes itself (file links). Only address rate, path and method are checked before it.
 * Errors thrown before it answers become problem documents. GET serves HEAD too. Its path is a secret and never logged.
 */
export interface RawRoute {
  readonly method: Method
  readonly path: string
  /** The game of a path, which decides the allowed origins; null if there is none. */
  game?(params: Readonly<Record<string, string>>): Promise<string | null>
  /** Null if it has written to `ctx.res` itself, with `ctx.respond` set to false. */
  handle(ctx: Context): Promise<Answer | null>
}
