// Checks before routing: the number of headers, the Host header, the rate of the network address, and the number of
// requests in flight.

import type { Middleware } from './context.ts'
import { checkHeaderCount, checkHost } from './headers.ts'
import type { Services } from './services.ts'
import { untilClosed } from './until-closed.ts'

/**
 * Throws 431 for too many headers, 400 for two Host headers or none, 429 for an empty rate bucket, 429 or 503 for too
 * many requests in flight.
 */
export function admission({ limiter, edge }: Services): Middleware {
  return async (ctx, next) => {
    const { network, rateHeaders, nowMs } = ctx.state
    checkHeaderCount(ctx.req)
    checkHost(ctx.req)
    if (limiter !== null) await limiter.take([{ name: 'address', of: network }], rateHeaders, nowMs, false)
    untilClosed(ctx, edge.take('request', network))
    return next()
  }
}
