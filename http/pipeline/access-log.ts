// The outermost middleware: gives each request its id and its state, and records it once its answer is complete.

import { Readable } from 'node:stream'
import { type Middleware, stateOf, templateOf } from './context.ts'
import { NOBODY } from './network.ts'
import type { Services } from './services.ts'
import { untilClosed } from './until-closed.ts'

export function accessLog({ deps, recorder }: Services): Middleware {
  const { trustedProxies = NOBODY } = deps
  return async (ctx, next) => {
    const beganMs = performance.now()
    ctx.state = stateOf(ctx.req, deps.now(), trustedProxies)
    recorder.began()
    await next()
    const { req, res, state } = ctx
    const ended = () => {
      const ms = performance.now() - beganMs
      const { method = '' } = req
      recorder.ended({
        requestId: state.id,
        method,
        route: templateOf(ctx),
        status: res.statusCode,
        ms,
        caller: state.caller,
      })
    }
    if (ctx.body instanceof Readable) untilClosed(ctx, ended)
    else ended()
  }
}
