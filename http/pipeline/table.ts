// The routes, found by path and method. @koa/router tests one pattern after another, so the routes are spread over one
// small router per shape (number of segments and the second one): a path of no known shape costs one look-up.

import { Router } from '@koa/router'
import { LRUCache } from 'lru-cache'
import { isIdText } from '../../domain/id-text.ts'
import type { Method } from '../route.ts'
import { decodeOnce } from './query-text.ts'

/** What the table needs to know of a route. */
interface Placed {
  readonly method: Method
  readonly path: string
}

export interface Match<Entry> {
  /** Null where the path is known but not with this method. */
  readonly entry: Entry | null
  readonly params: Readonly<Record<string, string>>
  /** Whether some part of the path is no percent-encoded UTF-8; that part stands undecoded in `params`. */
  readonly badEncoding: boolean
  /** The methods that this path is known with. */
  allowed(): string[]
}

export interface Table<Entry> {
  /** Null where nothing has this path, whatever the method. */
  find(path: string, method: string): Match<Entry> | null
}

/** Most calls have one of few paths: those of the boards in play. */
const PATHS_REMEMBERED = 4_096
const REMEMBERED_PATH_MAX = 256

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})

export function createTable<Entry extends Placed>(entries: readonly Entry[]): Table<Entry> {
  const routers = new Map<string, Router>()
  const byName = new Map<string, Entry>()
  for (const entry of entries) {
    const shape = shapeOf(entry.path)
    if (shape.includes('/:')) throw new Error(`the second segment of ${entry.path} must be literal`)
    const router = routers.get(shape) ?? new Router({ sensitive: true })
    routers.set(shape, router)
    const name = `${entry.method} ${entry.path}`
    if (byName.has(name)) throw new Error(`${name} is in the route table twice`)
    byName.set(name, entry)
    router.register(entry.path.replace(/\/$/, ''), [entry.method], nothing, { name })
  }

  const recent = new LRUCache<string, Match<Entry>>({ max: PATHS_REMEMBERED })

  const find = (path: string, method: string): Match<Entry> | null => {
    const asked = `${method} ${path}`
    const known = recent.get(asked)
    if (known !== undefined) return known
    const match = findAmong(path, method)
    if (match !== null && asked.length <= REMEMBERED_PATH_MAX) recent.set(asked, match)
    return match
  }

  const findAmong = (path: string, method: string): Match<Entry> | null => {
    const router = routers.get(shapeOf(path))
    if (router === undefined) return null
    const { path: layers, pathAndMethod } = router.match(path, method)
    const layer = pathAndMethod[0] ?? layers[0]
    if (layer === undefined) return null
    const params = layer.paramNames.length === 0 ? NO_PARAMS : layer.params(path, layer.captures(path))
    const badEncoding = decodeOnce(path) === null
    if (!badEncoding && !haveIds(params)) return null
    return {
      entry: (pathAndMethod.length > 0 && byName.get(layer.name ?? '')) || null,
      params,
      badEncoding,
      allowed: () => [...new Set(layers.flatMap((known) => known.methods))].sort(),
    }
  }
  return { find }
}

const nothing = (): void => {}

/** The only named part of a path that is not an id: a signed link, which proves itself. */
const LINK = 'token'

/** Whether each named part is exactly an id. Any other text is a path that nothing has. */
function haveIds(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) if (name !== LINK && !isIdText(params[name] ?? '')) return false
  return true
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
