// What Koa's middlewares share about one request: `ctx.state`, typed.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Layer, RouterContext } from '@koa/router'
import type { KeyedBoard } from '../../queries/board-key.ts'
import { callerNetwork, type Trusted } from '../../runtime/network.ts'
import type { Caller } from '../route.ts'
import type { Audience } from './cors.ts'
import type { RateHeaders } from './rates.ts'

/** The routes that match a path. */
export interface Match {
  readonly layers: readonly Layer<State, object>[]
  /** The first of them with the method; null if none has it. */
  readonly layer: Layer<State, object> | null
  /** Percent-decoded. Invalid encodings stay as sent. */
  readonly params: Record<string, string>
  /** The key of a leaderboard that the path has in place of an id; null: none. */
  readonly boardKey: string | null
}

export const NO_MATCH: Match = { layers: [], layer: null, params: {}, boardKey: null }

export interface State {
  /** The request id: generated here, never taken from the caller. */
  readonly id: string
  /** The target without scheme, host and query, still percent-encoded. */
  readonly path: string
  /** What follows `?`; empty without a query. */
  readonly queryText: string
  /** The caller's network address, in the form of network.ts. */
  readonly network: string
  /** Unix milliseconds at which the request started. */
  readonly nowMs: number
  /** Values of the RateLimit headers. */
  readonly rateHeaders: RateHeaders
  /** NO_MATCH before routing. */
  match: Match
  /** Null until the token is checked, and on routes without one. */
  caller: Caller | null
  /** The leaderboard of the path's key; null without a key, and if no leaderboard has it. */
  keyed: KeyedBoard | null
  /** Whose pages may read the answer. */
  audience: Audience
  /** Query and body as the route's schemas give them. */
  query: unknown
  body: unknown
  /** Called when the answer is sent or its connection closes; `untilClosed` adds to it. */
  readonly whenClosed: (() => void)[]
  /** Null without the header, and on routes that record nothing. */
  idempotencyKey: string | null
  /** The value of X-Consistency-Token in the answer. Null: none. */
  consistencyToken: string | null
}

export type Context = RouterContext<State, object>
export type Next = () => Promise<unknown>
export type Middleware = (ctx: Context, next: Next) => unknown

/** The initial state of a request. `nowMs`: Unix milliseconds. */
export function stateOf(request: IncomingMessage, nowMs: number, trusted: Trusted): State {
  return {
    id: randomUUID(),
    ...targetOf(request),
    network: callerNetwork(request, trusted),
    nowMs,
    rateHeaders: { policy: '', left: '' },
    match: NO_MATCH,
    caller: null,
    keyed: null,
    audience: 'unknown',
    query: undefined,
    body: undefined,
    whenClosed: [],
    idempotencyKey: null,
    consistencyToken: null,
  }
}

/** The path, without scheme, host and query and still percent-encoded, and what follows `?`. */
export function targetOf({ url = '/' }: IncomingMessage): Pick<State, 'path' | 'queryText'> {
  const target = withoutHost(url)
  const queryStart = target.indexOf('?')
  if (queryStart < 0) return { path: target, queryText: '' }
  return { path: target.slice(0, queryStart), queryText: target.slice(queryStart + 1) }
}

/** A proxy may put scheme and host before the path. */
function withoutHost(target: string): string {
  if (target.startsWith('/')) return target
  return target.replace(/^https?:\/\/[^/?]*/i, '') || '/'
}

/** The template of the matched route; `-` if no route matched. */
export const templateOf = ({ state }: Context): string => state.match.layer?.name ?? '-'

/** A file link grants access to the file, so it must not be logged. */
const FILE_LINK = /\/api\/files\/local\/([^/?]+)/

/** Secrets of the request, to be redacted from logged errors. */
export function secretsOf({ headers, url }: IncomingMessage): string[] {
  const link = FILE_LINK.exec(url ?? '')?.[1]
  const sent = [headers.authorization?.replace(/^\S+ +/, ''), headers['x-api-key'], headers['x-realtime-secret'], link]
  return sent.filter((value): value is string => typeof value === 'string' && value !== '')
}

/** Calls `then` when the answer is sent or its connection closed; at once if it has closed already. */
export function untilClosed({ res, state: { whenClosed } }: Context, then: () => void): void {
  if (res.destroyed) {
    then()
    return
  }
  // One listener for all callbacks: Node warns above ten listeners.
  if (whenClosed.length === 0) {
    res.once('close', () => {
      for (const one of whenClosed) one()
    })
  }
  whenClosed.push(then)
}
