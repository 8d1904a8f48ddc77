// Sends calls with a bearer token. Renews a rejected token, and passes the consistency token on, so that reads see own
// writes on any node.

import type { Bearer } from './bearer.ts'
import { ProblemError } from './problem.ts'
import type { Sender, Sending, Transport } from './transport.ts'

interface CallHeaders {
  readonly ifMatch?: string | undefined
  /** Replaces the generated Idempotency-Key. */
  readonly key?: string | undefined
  /** Sent once, without retries. */
  readonly single?: boolean | undefined
}

export interface Calls {
  readonly bearer: Bearer
  /**
   * Sends a call with the token. The body is assumed to have the type of the protocol.
   */
  call<Body>(method: Sending['method'], path: string, body?: unknown, given?: CallHeaders): Promise<Body>
}

export interface Caller extends Calls {
  readonly transport: Transport
  /** Reads an answer line by line. Rejects if `signal` aborts. */
  lines(path: string, signal?: AbortSignal): Promise<AsyncGenerator<unknown, void, undefined>>
  /** Reads the text of an answer in chunks. Rejects if `signal` aborts. */
  text(path: string, signal?: AbortSignal): Promise<AsyncGenerator<string, void, undefined>>
}

export type QueryValue = string | number | undefined

/** Calls with whole answers, for game clients. */
export function createCalls(sender: Sender, bearer: Bearer): Calls {
  return callsBy(sender, bearer, createSeen())
}

export function createCaller(transport: Transport, bearer: Bearer): Caller {
  const seen = createSeen()
  const get = (path: string, signal?: AbortSignal): Sending => ({
    method: 'GET',
    path,
    headers: seen.headers(),
    signal,
  })
  return {
    ...callsBy(transport, bearer, seen),
    transport,
    lines: (path, signal) => withToken(bearer, get(path, signal), transport.lines),
    text: (path, signal) => withToken(bearer, get(path, signal), transport.text),
  }
}

/** The consistency token of the last write. */
interface Seen {
  headers(): Record<string, string>
  add(token: string | null): void
}

function createSeen(): Seen {
  let seen: string | null = null
  return {
    headers: (): Record<string, string> => (seen === null ? {} : { 'X-Consistency-Token': seen }),
    add: (token) => {
      seen = token ?? seen
    },
  }
}

function callsBy(sender: Sender, bearer: Bearer, seen: Seen): Calls {
  return {
    bearer,
    async call<Body>(method: Sending['method'], path: string, body?: unknown, given: CallHeaders = {}) {
      const headers = {
        ...(method === 'GET' ? seen.headers() : {}),
        ...(given.ifMatch === undefined ? {} : { 'If-Match': given.ifMatch }),
        ...(given.key === undefined ? {} : { 'Idempotency-Key': given.key }),
      }
      const sending = { method, path, headers, single: given.single, ...(body === undefined ? {} : { body }) }
      const answer = await withToken(bearer, sending, sender.send)
      seen.add(answer.consistencyToken)
      return answer.body as Body
    },
  }
}

async function withToken<Answer>(
  bearer: Bearer,
  sending: Sending,
  by: (sending: Sending) => Promise<Answer>,
): Promise<Answer> {
  const token = await bearer.token()
  const carrying = (value: string): Sending => ({
    ...sending,
    headers: { ...sending.headers, Authorization: `Bearer ${value}` },
  })
  try {
    return await by(carrying(token))
  } catch (failure) {
    if (!isTokenRefused(failure)) throw failure
    return by(carrying(await bearer.replace(token)))
  }
}

/** `/api/` and these segments, each encoded, with a trailing slash. Omits undefined parameters. */
export function pathTo(segments: readonly string[], query: Readonly<Record<string, QueryValue>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const separator = search.size === 0 ? '' : '?'
  return `/api/${segments.map(encodeURIComponent).join('/')}/${separator}${search}`
}

function isTokenRefused(failure: unknown): boolean {
  return failure instanceof ProblemError && failure.status === 401 && failure.code !== 'sign_in_rejected'
}
