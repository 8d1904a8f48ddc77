// The Koa app: every middleware that a request passes, in order, and the routes on their router.

import Koa from 'koa'
import { callRoute } from './pipeline/call.ts'
import type { Context, Middleware, Next, State } from './pipeline/context.ts'
import { answerHealth, type Ready } from './pipeline/health.ts'
import { accessLog, admission, problems } from './pipeline/middlewares.ts'
import { ApiRouter, otherMethods, type RawRoute, serveRaw } from './pipeline/router.ts'
import type { Services } from './pipeline/services.ts'
import type { Route } from './route.ts'

export interface Routes {
  readonly routes: readonly Route[]
  readonly rawRoutes: readonly RawRoute[]
}

export function createApp(services: Services, { routes, rawRoutes }: Routes): Koa<State, Context> {
  const router = new ApiRouter()
  for (const route of routes) router.register(route, callRoute(services, route))
  for (const route of rawRoutes) router.register(route, serveRaw(services, route))

  const app = new Koa<State, Context>()
  app.use(healthAndSite(services)) // /health/*, the page at / and the console
  app.use(accessLog(services)) // ctx.state with the request id; one log line and one measurement per request
  app.use(problems(services)) // turns errors of the middlewares below into application/problem+json
  app.use(admission(services)) // Host, address rate, requests in flight
  app.use(router.routes())
  app.use(otherMethods(services, router, rawRoutes)) // 404, 405 with Allow, CORS preflights
  app.on('error', createErrorLog(services))
  return app
}

/**
 * Health checks and the pages for browsers: outside the API, its rate limits and its access log. Both write to `res`
 * directly.
 */
function healthAndSite({ deps, isClosing }: Services): Middleware {
  const ready: Ready = () => !isClosing() && deps.ready()
  const outside = async (ctx: Context, next: Next) => {
    ctx.respond = false
    if (answerHealth(ctx.req, ctx.res, ready, null)) return
    if ((await deps.site?.(ctx)) === true) return
    ctx.respond = true
    await next()
  }
  return (ctx, next) => (ctx.req.url?.startsWith('/api/') === true ? next() : outside(ctx, next))
}

/** Logs failures after an answer has begun, when no problem document can be sent. */
function createErrorLog({ deps: { log } }: Services) {
  // Koa reports a failed streamed body twice: once for the body, once for the response.
  const logged = new WeakSet<Error>()
  return (error: Error) => {
    if (logged.has(error) || ('code' in error && CALLER_GONE.has(error.code))) return
    logged.add(error)
    log.error({ failure: error.stack }, 'http failed')
  }
}

/** Error codes of a disconnect by the caller, which is not a server failure. */
const CALLER_GONE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])
