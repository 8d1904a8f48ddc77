// The outermost middleware: gives each request its id and its state, and records it once its answer is complete.

import { Readable } from 'node:stream'
import { type Middleware, stateOf, templateOf } from './context.ts'
import { GUARD } from './guard.ts'
import { NOBODY } from './network.ts'
import type { Services } from './services.ts'
import { untilClosed } from './until-closed.ts'

export function accessLog({ deps, recorder }: Services): Middleware {
  const { trustedProxies = NOBODY } = deps
  return async (ctx, next) => {
    const beganMs = performance.now()
    ctx.state = stateOf(ctx.req, deps.now(), trustedProxies)
    // Koa's own path would read a target with `#` in it as a URL.
    ctx.newRouterPath = ctx.state.path
    ctx.set('X-Request-Id', ctx.state.id)
    ctx.set(GUARD)
    recorder.began()
    await next()
    const { method, status } = ctx
    const { id: requestId, caller } = ctx.state
    const ended = () =>
      recorder.ended({ requestId, method, route: templateOf(ctx), status, ms: performance.now() - beganMs, caller })
    if (ctx.body instanceof Readable) untilClosed(ctx.res, ended)
    else ended()
  }
}
