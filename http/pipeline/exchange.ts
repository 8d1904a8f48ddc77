// What is known of one request, from its first byte on: the pipeline's checks fill it in as they go.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { malformed } from '../problem.ts'
import type { Caller } from '../route.ts'
import type { Audience } from './cors.ts'
import { timesSent } from './headers.ts'
import { callerNetwork, type Trusted } from './network.ts'
import type { RateTold } from './rates.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Made here; never what a caller sent. */
  readonly id: string
  readonly path: string
  readonly queryText: string
  readonly network: string
  readonly nowMs: number
  readonly told: RateTold
  /** The route's template; `-` until one is found. */
  route: string
  caller: Caller | null
  audience: Audience
}

export function exchangeOf(
  request: IncomingMessage,
  response: ServerResponse,
  nowMs: number,
  trusted: Trusted,
): Exchange {
  const url = pathOf(request.url ?? '/')
  const mark = url.indexOf('?')
  return {
    request,
    response,
    id: randomUUID(),
    path: mark < 0 ? url : url.slice(0, mark),
    queryText: mark < 0 ? '' : url.slice(mark + 1),
    network: callerNetwork(request, trusted),
    nowMs,
    told: { policy: '', left: '' },
    route: '-',
    caller: null,
    audience: 'unknown',
  }
}

/** Whoever has the link to a file has the file. */
const FILE_LINK = /\/api\/files\/local\/([^/?]+)/

/** The target without scheme and host, which a proxy may have put before it. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target
  return target.replace(/^https?:\/\/[^/?]*/i, '') || '/'
}

/** A header sent once; null without it. Throws 400 where it is sent again. */
export function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  if (value === undefined) return null
  if (typeof value === 'string' && (name === 'if-match' || timesSent(request, name) === 1)) return value
  throw malformed([{ pointer: '', detail: `the header ${name} is sent more than once` }])
}

/** What must never be logged, should a failure's text hold it. */
export function secretsOf({ headers, url }: IncomingMessage): string[] {
  const link = FILE_LINK.exec(url ?? '')?.[1]
  const sent = [headers.authorization?.replace(/^\S+ +/, ''), headers['x-api-key'], headers['x-realtime-secret'], link]
  return sent.filter((value): value is string => typeof value === 'string' && value !== '')
}
