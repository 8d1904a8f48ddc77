// Sends calls with a bearer token. Renews a rejected token, and passes the consistency token on, so that reads see own
// writes on any node.

import type { Bearer } from './bearer.ts'
import { ProblemError } from './problem.ts'
import type { Sending, Transport } from './transport.ts'

interface CallHeaders {
  readonly ifMatch?: string | undefined
  /** Replaces the generated Idempotency-Key. */
  readonly key?: string | undefined
}

export interface Caller {
  readonly transport: Transport
  readonly bearer: Bearer
  /**
   * Sends a call with the token. The body is assumed to have the type of the protocol.
   */
  call<Body>(method: Sending['method'], path: string, body?: unknown, given?: CallHeaders): Promise<Body>
  /** Reads an answer line by line. Rejects if `signal` aborts. */
  lines(path: string, signal?: AbortSignal): Promise<AsyncGenerator<unknown, void, undefined>>
  /** Reads the text of an answer in chunks. Rejects if `signal` aborts. */
  text(path: string, signal?: AbortSignal): Promise<AsyncGenerator<string, void, undefined>>
}

export type QueryValue = string | number | undefined

export function createCaller(transport: Transport, bearer: Bearer): Caller {
  let seen: string | null = null

  const send = (sending: Sending) => withToken(sending, transport.send)

  async function withToken<Answer>(sending: Sending, by: (sending: Sending) => Promise<Answer>): Promise<Answer> {
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

  const seeing = (): Record<string, string> => (seen === null ? {} : { 'X-Consistency-Token': seen })

  return {
    transport,
    bearer,
    lines: (path, signal) => withToken({ method: 'GET', path, headers: seeing(), signal }, transport.lines),
    text: (path, signal) => withToken({ method: 'GET', path, headers: seeing(), signal }, transport.text),
    async call<Body>(method: Sending['method'], path: string, body?: unknown, given: CallHeaders = {}) {
      const headers = {
        ...(method === 'GET' ? seeing() : {}),
        ...(given.ifMatch === undefined ? {} : { 'If-Match': given.ifMatch }),
        ...(given.key === undefined ? {} : { 'Idempotency-Key': given.key }),
      }
      const answer = await send({ method, path, headers, ...(body === undefined ? {} : { body }) })
      seen = answer.consistencyToken ?? seen
      return answer.body as Body
    },
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
