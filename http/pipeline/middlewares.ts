// The middlewares around every request of the API, in the order of app.ts: access log, problem documents, and the
// checks before routing.

import { Readable } from 'node:stream'
import { NOBODY } from '../../runtime/network.ts'
import { answerProblem } from './answer.ts'
import { type Middleware, stateOf, templateOf, untilClosed } from './context.ts'
import { checkHeaderCount, checkHost } from './headers.ts'
import type { Services } from './services.ts'

/**
 * Creates `ctx.state` with the request id, and records each request once: one log line and one measurement when the
 * answer is ready, for a streamed answer when its response closes.
 */
export function accessLog({ deps, recorder }: Services): Middleware {
  const { trustedProxies = NOBODY } = deps
  return async (ctx, next) => {
    const beganMs = performance.now()
    ctx.state = stateOf(ctx.req, deps.now(), trustedProxies)
    recorder.began()
    await next()
    const { id: requestId, caller } = ctx.state
    const ended = () => {
      const ms = performance.now() - beganMs
      const { method = '' } = ctx.req
      recorder.ended({ requestId, method, route: templateOf(ctx), status: ctx.res.statusCode, ms, caller })
    }
    if (ctx.body instanceof Readable) untilClosed(ctx, ended)
    else ended()
  }
}

export function problems(services: Services): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      await answerProblem(services, ctx, error)
    }
  }
}

/**
 * Checks the number of headers, the Host header, the rate of the network address, and the number of requests in flight.
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
