// What the pipeline asks of the other modules, and what a route is that reads and answers bytes by itself.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TokenSeal } from '../../credentials/sealed-token.ts'
import type { Buckets } from '../../stores/contract/transient.ts'
import type { EdgeLimits } from '../connections/limits.ts'
import type { Answer, Caller, Method } from '../route.ts'
import type { Progress } from './consistency.ts'
import type { Context } from './context.ts'
import type { Origins } from './cors.ts'
import type { Ready } from './health.ts'
import type { IdempotencyDeps } from './idempotency.ts'
import type { Trusted } from './network.ts'
import type { RateLimits } from './rates.ts'

export interface PipelineDeps extends Origins, IdempotencyDeps {
  /** Who a bearer token is. Throws Refusal `unauthenticated` (401). */
  authenticate(token: string, nowMs: number): Promise<Caller>
  /** Buckets shared by all nodes. Where it rejects, this node counts by itself; handshakes fail closed. */
  readonly rates: Buckets
  /** The bytes that a game may record in a day; null: as many as it likes. */
  recordedBytesPerDay(game: string): Promise<number | null>
  /** Buckets of this node alone. Embedded: the same as `rates`. */
  readonly ratesOfThisNode: Buckets
  readonly rateLimits: RateLimits
  /** Whose X-Forwarded-For says where a call comes from. Nobody's where it is left out. */
  readonly trustedProxies?: Trusted
  /** In place of the limits in connections/limits.ts. */
  readonly edgeLimits?: Partial<EdgeLimits>
  /** Makes what consistency tokens hold unreadable; the same on every node of the installation, and no other's. */
  readonly consistency: TokenSeal
  readonly progress: Progress
  readonly log: Logger
  readonly metrics: Registry
  /** Unix milliseconds. */
  now(): number
  readonly ready: Ready
  /** Serves what is not under /api/ (console, docs). Answers false, having touched nothing, where it has none. */
  site?(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

/**
 * A route that reads or answers bytes by itself (file links). It passes the address rate, path and method checks only;
 * what it throws before it has answered becomes a problem document. A GET serves HEAD too. Its path is a secret: it is
 * logged nowhere.
 */
export interface RawRoute {
  readonly method: Method
  readonly path: string
  /** The game that a path speaks for, which decides what origins it answers; null where it speaks for none. */
  game?(params: Readonly<Record<string, string>>): Promise<string | null>
  /** Null where it has written the answer to `ctx.res` by itself, having set `ctx.respond` to false. */
  handle(ctx: Context): Promise<Answer | null>
}
