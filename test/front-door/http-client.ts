// A minimal client that can send any request, valid or not, over a kept-alive connection, and returns the whole answer.

import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Sent {
  readonly token?: string
  /** Sent as JSON with its Content-Type. Omit for no body. */
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Buffer
  readonly headers?: Readonly<Record<string, string | string[]>>
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field, and compared whole where it matters
export type Body = any

export interface Answered {
  readonly status: number
  readonly body: Body
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface HttpClient {
  call(method: string, path: string, sent?: Sent): Promise<Answered>
  close(): void
}

/**
 * The error of a call without a complete answer: its code, and whether the connection had been
 * used before.
 */
export interface Unanswered extends NodeJS.ErrnoException {
  readonly reused?: boolean
}

/**
 * Whether a graceful stop of the server explains a call without an answer: it refused a new connection, or closed a
 * kept-alive one just when the next call was sent over it, without a byte of an answer.
 */
export function isOfAStop({ code, reused }: Unanswered): boolean {
  return code === 'ECONNREFUSED' || (code === 'ECONNRESET' && reused === true)
}

/** Idle connections are closed by then, long before the server does it just when a call is sent over one. */
const IDLE_MS = 30_000

export function createHttpClient(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 128, timeout: IDLE_MS })
  return {
    call: (method, path, sent = {}) =>
      new Promise((resolve, reject) => {
        const payload = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
        const headers: Record<string, string | string[] | number> = { ...sent.headers }
        if (sent.token !== undefined) headers.authorization ??= `Bearer ${sent.token}`
        if (payload !== undefined) {
          headers['content-length'] = Buffer.byteLength(payload)
          if (!('content-type' in headers)) headers['content-type'] = 'application/json'
        }
        const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            const { statusCode: status = 0, headers: got } = incoming
            resolve({ status, body: parsed(text), headers: got, text })
          })
        })
        outgoing.on('error', (error) => reject(Object.assign(error, { reused: outgoing.reusedSocket })))
        outgoing.end(payload)
      }),
    close: () => agent.destroy(),
  }
}

/** The JSON, or undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
