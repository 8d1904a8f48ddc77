// Routing on @koa/router, with a cache of recent matches; the middleware of a raw route; and the one after the router,
// which answers calls that match no route.

import { Router } from '@koa/router'
import { Refusal } from '../../domain/decider.ts'
import { isIdText } from '../../domain/id-text.ts'
import { lru } from '../../runtime/lru.ts'
import { HttpRefusal, malformed } from '../problem.ts'
import type { Answer, Method } from '../route.ts'
import { answer, setCommonHeaders } from './answer.ts'
import { keyIn } from './board-key.ts'
import { type Context, type Match, type Middleware, NO_MATCH, type State } from './context.ts'
import { isAllowed, type Preflight, preflightHeaders } from './cors.ts'
import { checkSentOnce, headerOf } from './headers.ts'
import { decodeOnce } from './input.ts'
import type { Services } from './services.ts'

/** Size of the match cache. Most calls use a few paths, those of active leaderboards. */
const MAX_CACHED_MATCHES = 4_096
const MAX_CACHED_PATH_LENGTH = 256

/** The only path parameter that is not an id: a signed link, which is verified by its signature. */
const LINK = 'token'

/**
 * @koa/router tests all route patterns one by one and composes middlewares per request, which took 4 % of a submission.
 * So each shape of path has its own small router, recent matches are cached, and the single middleware of a route is
 * called directly.
 */
export class ApiRouter {
  readonly #byShape = new Map<string, Router<State, object>>()
  readonly #recent = lru<string, Match>(MAX_CACHED_MATCHES)

  /**
   * `path` ends with a slash and becomes the route's name; the path without it is served too. Throws for a route that
   * an earlier one hides: a literal segment must be registered before a parameter in its place.
   */
  register({ method, path }: { readonly method: Method; readonly path: string }, middleware: Middleware): void {
    const shape = shapeOf(path)
    if (shape.includes('/:')) throw new Error(`the second segment of ${path} must be literal`)
    const router = this.#byShape.get(shape) ?? new Router<State, object>({ sensitive: true })
    const isTaken = router.stack.some((layer) => layer.name === path && layer.methods.includes(method))
    if (isTaken) throw new Error(`${method} ${path} is in the route table twice`)
    const pattern = path.replace(/\/$/, '')
    const hiding = router.stack.find((layer) => layer.methods.includes(method) && layer.match(pattern))
    if (hiding !== undefined) throw new Error(`${method} ${path} must come before ${hiding.name} in the route table`)
    router.register(pattern, [method], middleware, { name: path })
    this.#byShape.set(shape, router)
  }

  /** As `routes()` of @koa/router: runs the matching route, or else the next middleware. */
  routes(): Middleware {
    return (ctx, next) => {
      const match = this.match(ctx.state.path, ctx.req.method ?? '')
      ctx.state.match = match
      if (match.layer === null) return next()
      ctx.params = match.params
      return match.layer.stack[0]?.(ctx, next)
    }
  }

  match(path: string, method: string): Match {
    const key = `${method} ${path}`
    const known = this.#recent.get(key)
    if (known !== undefined) return known
    const match = this.#find(path, method)
    if (match !== NO_MATCH && key.length <= MAX_CACHED_PATH_LENGTH) this.#recent.set(key, match)
    return match
  }

  /**
   * A path with a named part that is not an id has no route, unless it cannot be decoded: the call is then 400 later
   * on.
   */
  #find(path: string, method: string): Match {
    const found = this.#byShape.get(shapeOf(path))?.match(path, method)
    const first = found?.pathAndMethod[0] ?? found?.path[0]
    if (found === undefined || first === undefined) return NO_MATCH
    const params = first.params(path, first.captures(path))
    const fits = Object.entries(params).every(([name, value]) => name === LINK || isIdText(value))
    if (!fits && decodeOnce(path) !== null) return NO_MATCH
    return { layers: found.path, layer: found.pathAndMethod[0] ?? null, params, boardKey: keyIn(params) }
  }
}

/** `4/lb` for `/api/lb/:leaderboard/score/`, with or without the closing slash. */
function shapeOf(path: string): string {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
  let segments = 0
  for (let at = 0; at < end; at++) if (path.charCodeAt(at) === 0x2f) segments++
  const second = path.indexOf('/', 1) + 1
  if (second === 0) return `${segments}/`
  const third = path.indexOf('/', second)
  return `${segments}/${path.slice(second, third < 0 ? end : third)}`
}

/** Throws 400 for a path that is not percent-encoded UTF-8. */
export function checkEncoding(path: string): void {
  if (decodeOnce(path) !== null) return
  throw malformed([{ pointer: '', detail: 'the path is not percent-encoded UTF-8' }], 'The path')
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

/** The middleware of a raw route, which reads and writes bytes itself. */
export function serveRaw(services: Services, route: RawRoute): Middleware {
  return async (ctx) => {
    checkEncoding(ctx.state.path)
    checkSentOnce(ctx.req)
    await setAudience(ctx, route, ctx.params)
    await setCommonHeaders(services, ctx)
    const given = await route.handle(ctx)
    if (given !== null) await answer(services, ctx, given)
  }
}

/** Sets whose pages may read the answer, for requests with an Origin. */
async function setAudience(ctx: Context, route: RawRoute, params: Context['params']): Promise<void> {
  if (route.game === undefined || ctx.req.headers.origin === undefined) return
  const game = await route.game(params)
  if (game !== null) ctx.state.audience = { game }
}

const NO_SUCH_PATH = 'There is nothing at this path. GET /api/openapi.json describes all paths.'

/**
 * The middleware after the router: answers calls that match no route. An unknown path is 404; a known path with another
 * method is a browser's CORS preflight, or 405 with Allow.
 */
export function otherMethods(services: Services, router: ApiRouter, rawRoutes: readonly RawRoute[]): Middleware {
  return async (ctx) => {
    const { layers } = ctx.state.match
    if (layers.length === 0) throw new Refusal('not_found', 'not_found', NO_SUCH_PATH)
    const allowed = [...new Set(layers.flatMap(({ methods }) => methods))].sort()
    const { origin, 'access-control-request-method': requested } = ctx.req.headers
    if (ctx.method === 'OPTIONS' && origin !== undefined && requested !== undefined) {
      checkSentOnce(ctx.req)
      await findAudience(ctx, router, rawRoutes, requested)
      const asked = { origin, method: requested, headers: headerOf(ctx.req, 'access-control-request-headers') }
      const headers = await preflight(services, ctx, asked, allowed)
      return answer(services, ctx, { status: 200, body: {}, headers })
    }
    const detail = `This path supports ${allowed.join(', ')}.`
    throw new HttpRefusal(405, 'method_not_allowed', detail, { Allow: allowed.join(', ') })
  }
}

/** A file link belongs to one game, also in the preflight of a call to it. */
async function findAudience(ctx: Context, router: ApiRouter, rawRoutes: readonly RawRoute[], requested: string) {
  const { layer, params } = router.match(ctx.state.path, requested)
  const route = rawRoutes.find((raw) => layer?.name === raw.path && layer.methods.includes(raw.method))
  if (route !== undefined) await setAudience(ctx, route, params)
}

async function preflight({ deps, originHints }: Services, ctx: Context, asked: Preflight, served: readonly string[]) {
  const { audience } = ctx.state
  return preflightHeaders(deps, asked, audience, served).catch(async (refusal: unknown) => {
    await originHints(asked.origin, (other) => isAllowed(deps, other, audience))
    throw refusal
  })
}
