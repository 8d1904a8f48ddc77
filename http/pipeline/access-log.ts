// Creates `ctx.state` with the request id, and records each request once: one log line and one measurement when the
// answer is ready, for a streamed answer when its response closes.

import { Readable } from 'node:stream'
import { NOBODY } from '../../runtime/network.ts'
import { type Middleware, stateOf, templateOf } from './context.ts'
import type { Services } from './services.ts'
import { untilClosed } from './until-closed.ts'

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
