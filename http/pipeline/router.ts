// The routes on @koa/router, and the middleware that runs them.

import { Router } from '@koa/router'
import { LRUCache } from 'lru-cache'
import { isIdText } from '../../domain/id-text.ts'
import { malformed } from '../problem.ts'
import type { Method } from '../route.ts'
import { type Match, type Middleware, NO_MATCH, type State } from './context.ts'
import { decodeOnce } from './query-text.ts'

export type ApiRouter = Router<State, object>

/** Most calls have one of few paths: those of the leaderboards in play. */
const MATCHES_REMEMBERED = 4_096
const REMEMBERED_PATH_MAX = 256

/** The only named part of a path that is not an id: a signed link, which is checked by its signature. */
const LINK = 'token'

export const createRouter = (): ApiRouter => new Router<State, object>({ sensitive: true })

/** The route's name is its path as the table has it, with the closing slash; it is served without that slash too. */
export function register(
  router: ApiRouter,
  { method, path }: { readonly method: Method; readonly path: string },
  middleware: Middleware,
): void {
  const isTaken = router.stack.some((layer) => layer.name === path && layer.methods.includes(method))
  if (isTaken) throw new Error(`${method} ${path} is in the route table twice`)
  router.register(path.replace(/\/$/, ''), [method], middleware, { name: path })
}

/**
 * As `router.routes()`, which tests the patterns of all routes and composes their middlewares for each request: that costs 3 % of a
 * submission. This remembers the matches of recent paths, and runs the one middleware of the route.
 */
export function dispatch(router: ApiRouter): Middleware {
  const recent = new LRUCache<string, Match>({ max: MATCHES_REMEMBERED })
  return (ctx, next) => {
    const { path } = ctx.state
    const method = ctx.req.method ?? ''
    const key = `${method} ${path}`
    let match = recent.get(key)
    if (match === undefined) {
      match = matchOf(router, path, method)
      if (match !== NO_MATCH && key.length <= REMEMBERED_PATH_MAX) recent.set(key, match)
    }
    ctx.state.match = match
    if (match.layer === null) return next()
    ctx.params = match.params
    return match.layer.stack[0]?.(ctx, next)
  }
}

/** A named part that is not an id is a path that nothing has, unless the path cannot be decoded: the call is then 400 later on. */
export function matchOf(router: ApiRouter, path: string, method: string): Match {
  const { path: layers, pathAndMethod } = router.match(path, method)
  const [first] = [...pathAndMethod, ...layers]
  if (first === undefined) return NO_MATCH
  const params = first.params(path, first.captures(path))
  const fits = Object.entries(params).every(([name, value]) => name === LINK || isIdText(value))
  return fits || decodeOnce(path) === null ? { layers, layer: pathAndMethod[0] ?? null, params } : NO_MATCH
}

/** Throws 400 for a path that is not percent-encoded UTF-8. */
export function checkEncoding(path: string): void {
  if (decodeOnce(path) !== null) return
  throw malformed([{ pointer: '', detail: 'the path is not percent-encoded UTF-8' }], 'The path')
}
