// The Koa app: every middleware that a request passes, in order, and the routes on their router.

import { Readable } from 'node:stream'
import Koa from 'koa'
import { accessLog } from './pipeline/access-log.ts'
import { admission } from './pipeline/admission.ts'
import { callRoute } from './pipeline/call.ts'
import type { Context, Middleware, Next, State } from './pipeline/context.ts'
import type { RawRoute } from './pipeline/deps.ts'
import { answerHealth, type Ready } from './pipeline/health.ts'
import { otherMethods } from './pipeline/other-methods.ts'
import { problems } from './pipeline/problems.ts'
import { serveRaw } from './pipeline/raw-route.ts'
import { createRouter, dispatch, register } from './pipeline/router.ts'
import type { Services } from './pipeline/services.ts'
import type { Route } from './route.ts'

export interface Routes {
  readonly routes: readonly Route[]
  readonly rawRoutes: readonly RawRoute[]
}

export function createApp(services: Services, { routes, rawRoutes }: Routes): Koa<State, Context> {
  const router = createRouter()
  for (const route of routes) register(router, route, callRoute(services, route))
  for (const route of rawRoutes) register(router, route, serveRaw(services, route))

  const app = new Koa<State, Context>()
  app.use(healthAndSite(services))
  app.use(accessLog(services))
  app.use(problems(services))
  app.use(admission(services))
  app.use(dispatch(router))
  app.use(otherMethods(services, router, rawRoutes))
  app.on('error', (error: Error, ctx: Context) => {
    // A caller who goes away and a stream that is cut short are no failures of the server.
    if (!isGone(error) && !isOfStream(error, ctx)) services.deps.log.error({ failure: error.stack }, 'http failed')
  })
  return app
}

/** What is outside the API, its rates and its log. Both write their answers themselves. */
function healthAndSite({ deps, isClosing }: Services): Middleware {
  const ready: Ready = () => !isClosing() && deps.ready()
  const outside = async (ctx: Context, next: Next) => {
    ctx.respond = false
    if (answerHealth(ctx.req, ctx.res, ready, null)) return
    if (await deps.site?.(ctx.req, ctx.res)) return
    ctx.respond = true
    await next()
  }
  return (ctx, next) => (ctx.req.url?.startsWith('/api/') === true ? next() : outside(ctx, next))
}

function isGone(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/** A stream ends early where its reader goes away or may read no more. */
function isOfStream(error: Error, { body }: Context): boolean {
  if (!(body instanceof Readable)) return false
  return body.errored === error || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')
}
