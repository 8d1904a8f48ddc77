// CORS headers. A preflight is allowed for an origin of any game; the answer itself only for origins of the caller's
// game. While no caller is known (401, 404, the handshake), an origin of any game may read the answer, because a
// browser game has to see that its token has expired. A file link belongs to one game, also in its preflight.
// Credentials are never allowed.

import type { Logger } from 'pino'
import { otherSpellings } from '../../domain/origin.ts'
import { HttpRefusal } from '../problem.ts'

/** The headers that the API reads, for a preflight that names none. */
const READ_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-API-Key, X-Consistency-Token'
const EXPOSE_HEADERS =
  'X-Request-Id, X-Consistency-Token, Idempotent-Replay, ETag, RateLimit, RateLimit-Policy, Retry-After, ' +
  'Accept-Ranges, Content-Disposition, Content-Length, Content-Range'
const PREFLIGHT_MAX_AGE_S = 600

export interface Origins {
  corsOrigins(game: string): Promise<readonly string[]>
  corsAllowedByAny(origin: string): Promise<boolean>
}

/** The game whose pages may read the answer, if known. */
export type Audience = { readonly game: string | null } | 'unknown'

/** Flat list of header names and values; empty if the origin may not read the answer. */
export async function corsHeaders(origins: Origins, origin: string, audience: Audience): Promise<readonly string[]> {
  if (!(await isAllowed(origins, origin, audience))) return []
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSE_HEADERS]
}

export async function isAllowed(origins: Origins, origin: string, audience: Audience): Promise<boolean> {
  if (audience === 'unknown') return origins.corsAllowedByAny(origin)
  if (audience.game === null) return false
  return (await origins.corsOrigins(audience.game)).includes(origin)
}

/** What a preflight asks for: the values of its headers. */
export interface Preflight {
  readonly origin: string
  readonly method: string
  readonly headers: string | null
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Names of headers that a preflight repeats. */
const ALLOWED_HEADERS_MAX = 64

/**
 * The names that a preflight asks for: engines send headers of their own, such as X-Unity-Version, and none of them
 * gives a page more than it has.
 */
function allowedHeaders(asked: string | null): string {
  if (asked === null) return READ_HEADERS
  const names = asked.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => TOKEN.test(name)))].slice(0, ALLOWED_HEADERS_MAX).join(', ')
}

/**
 * The headers that answer a preflight. `served`: the methods of the path. Another method is allowed too, so that the
 * page can read its 405. Throws 403 `origin_not_allowed`.
 */
export async function preflightHeaders(
  origins: Origins,
  { origin, method, headers }: Preflight,
  audience: Audience,
  served: readonly string[],
): Promise<Record<string, string>> {
  if (!(await isAllowed(origins, origin, audience))) {
    const whose = audience === 'unknown' ? 'No game allows' : 'This game does not allow'
    throw new HttpRefusal(403, 'origin_not_allowed', `${whose} calls from this origin.`)
  }
  return {
    'Access-Control-Allow-Methods': [...new Set([...served, ...(TOKEN.test(method) ? [method] : [])])].join(', '),
    'Access-Control-Allow-Headers': allowedHeaders(headers),
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_S),
    Allow: served.join(', '),
  }
}

/** Maximum number of hints, because any client can send any origin. */
const HINTS_MAX = 100

/** Call it with a refused origin. `isAllowed` checks another one. Logs at most one line per origin. */
export type OriginHints = (origin: string, isAllowed: (other: string) => Promise<boolean>) => Promise<void>

/**
 * Logs a hint if a page on this machine is refused because it uses another name of it: to a browser, `localhost`,
 * `127.0.0.1` and `[::1]` are three origins, and a developer may allow one and open the page by another.
 */
export function createOriginHints(log: Logger): OriginHints {
  const hinted = new Set<string>()
  return async (origin, isAllowed) => {
    if (hinted.has(origin) || hinted.size >= HINTS_MAX) return
    for (const other of otherSpellings(origin)) {
      if (!(await isAllowed(other)) || hinted.has(origin)) continue
      hinted.add(origin)
      const advice = `Open the page at ${other}, or allow ${origin} too: scorebook game set --origin ${other} ${origin}`
      log.info({ origin, allowed: other, advice }, 'origin refused: it is allowed by another name of this machine')
      return
    }
  }
}
