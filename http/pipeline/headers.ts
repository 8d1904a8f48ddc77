// The one reader of headers that are sent at most once. Node keeps the first of two Host, Authorization or Content-Type
// headers and joins others with a comma, so repetition is looked for in the raw list.

import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../domain/decider.ts'
import { ID_MAX_CHARACTERS, isIdText } from '../../domain/id-text.ts'
import { HEADERS_MAX, hasTooManyHeaders } from '../connections/limits.ts'
import { HttpRefusal, malformed } from '../problem.ts'

const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** Headers with one value, whose repetition is 400 on every call, whether the call reads them or not. */
const SENT_ONCE: ReadonlySet<string> = new Set([
  'access-control-request-headers',
  'access-control-request-method',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'x-api-key',
  'x-consistency-token',
  'x-realtime-secret',
])

/** Throws 400 for a header of SENT_ONCE that is sent more than once. */
export function checkSentOnce({ rawHeaders }: IncomingMessage): void {
  let seen: string[] | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!SENT_ONCE.has(name)) continue
    if (seen === null) seen = [name]
    else if (seen.includes(name)) throw sentTwice(name)
    else seen.push(name)
  }
}

/** The value of a header, or null. `name`: in lower case. Throws 400 if it is sent more than once. */
export function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  if (value === undefined) return null
  if (typeof value === 'string' && timesSent(request, name) === 1) return value
  throw sentTwice(name)
}

const sentTwice = (name: string) => malformed([{ pointer: '', detail: `the header ${name} is sent more than once` }])

/** Throws 431 for more than `HEADERS_MAX` headers. */
export function checkHeaderCount(request: IncomingMessage): void {
  if (hasTooManyHeaders(request))
    throw new HttpRefusal(431, 'headers_too_large', `A request can have ${HEADERS_MAX} headers. Send fewer.`)
}

/** Throws 400 for two Host headers, or none. */
export function checkHost(request: IncomingMessage): void {
  const hosts = timesSent(request, 'host')
  if (hosts > 1) throw malformed([{ pointer: '', detail: 'the Host header is sent more than once' }])
  if (hosts === 0 && request.httpVersion === '1.1')
    throw malformed([{ pointer: '', detail: 'the Host header is missing' }])
}

/** The bearer token, or null unless the Authorization header is exactly one bearer token. */
export function bearerToken(request: IncomingMessage): string | null {
  const token = tokenIn(request.headers.authorization ?? null)
  return token === null || timesSent(request, 'authorization') > 1 ? null : token
}

/** The token in an Authorization header; null if there is none. */
export const tokenIn = (header: string | null): string | null => BEARER.exec(header ?? '')?.[1] ?? null

/** The Idempotency-Key, or null without one. Throws 400 for more than one, or one that is not 1–255 printable ASCII. */
export function idempotencyKey(request: IncomingMessage): string | null {
  const key = headerOf(request, 'idempotency-key')
  if (key === null || IDEMPOTENCY_KEY.test(key)) return key
  throw malformed([{ pointer: '', detail: 'Idempotency-Key must be 1 to 255 printable ASCII characters' }])
}

function timesSent({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]
    if (sent?.length === name.length && sent.toLowerCase() === name) times++
  }
  return times
}

/** Throws 401 `api_key_required` without X-API-Key, and 400 where its value cannot be a key's prefix. */
export function checkPrefix(request: IncomingMessage): void {
  const prefix = headerOf(request, 'x-api-key') ?? ''
  if (prefix !== '' && prefix.length <= ID_MAX_CHARACTERS) {
    if (isIdText(prefix)) return
    throw malformed([{ pointer: '', detail: 'X-API-Key must be a key’s prefix: only letters, digits, _ and -' }])
  }
  throw new Refusal('unauthenticated', 'api_key_required', 'Send the key’s prefix in the header X-API-Key.')
}
