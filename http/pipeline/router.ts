// @koa/router, with three additions: a named part of a path must be an id, no route is registered twice, and the matches of recent
// paths are remembered, because @koa/router tests the patterns of all routes one by one.

import { type MatchResult, Router } from '@koa/router'
import { LRUCache } from 'lru-cache'
import { isIdText } from '../../domain/id-text.ts'
import { malformed } from '../problem.ts'
import type { Method } from '../route.ts'
import type { Middleware, State } from './context.ts'
import { decodeOnce } from './query-text.ts'

/** Most calls have one of few paths: those of the leaderboards in play. */
const MATCHES_REMEMBERED = 4_096
const REMEMBERED_PATH_MAX = 256

/** The only named part of a path that is not an id: a signed link, which is checked by its signature. */
const LINK = 'token'

type Matched = MatchResult<State, object>
type Layer = Matched['path'][number]

export type ApiRouter = Router<State, object>

export function createRouter(): ApiRouter {
  const router: ApiRouter = new Router<State, object>({ sensitive: true })
  const matchAll = router.match.bind(router)
  const recent = new LRUCache<string, Matched>({ max: MATCHES_REMEMBERED })
  router.match = (path, method) => {
    const asked = `${method} ${path}`
    const known = recent.get(asked)
    if (known !== undefined) return known
    const match = withIds(matchAll(path, method), path)
    if (match.path.length > 0 && asked.length <= REMEMBERED_PATH_MAX) recent.set(asked, match)
    return match
  }
  return router
}

/** The route's name is its path as the table has it, with the closing slash; it is served without that slash too. */
export function register(
  router: ApiRouter,
  { method, path }: { readonly method: Method; readonly path: string },
  middlewares: readonly Middleware[],
): void {
  const isTaken = router.stack.some((layer) => layer.name === path && layer.methods.includes(method))
  if (isTaken) throw new Error(`${method} ${path} is in the route table twice`)
  router.register(path.replace(/\/$/, ''), [method], [...middlewares], { name: path })
}

/** Params of a path, percent-decoded. A part that is not percent-encoded UTF-8 stays encoded. */
export function paramsOf(layer: Layer, path: string): Record<string, string> {
  return layer.params(path, layer.captures(path))
}

/** Throws 400 for a path that is not percent-encoded UTF-8. */
export function checkEncoding(path: string): void {
  if (decodeOnce(path) !== null) return
  throw malformed([{ pointer: '', detail: 'the path is not percent-encoded UTF-8' }], 'The path')
}

/** Leaves out routes with a named part that is not an id, unless the path cannot be decoded: the call is then 400 later on. */
function withIds(match: Matched, path: string): Matched {
  if (decodeOnce(path) === null) return match
  const fits = (layer: Layer) =>
    Object.entries(paramsOf(layer, path)).every(([name, value]) => name === LINK || isIdText(value))
  const pathAndMethod = match.pathAndMethod.filter(fits)
  return { path: match.path.filter(fits), pathAndMethod, route: pathAndMethod.length > 0 }
}
