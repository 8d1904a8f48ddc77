// What goes out on the wire: one write of status, headers and body. Every answer carries the same guard of headers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PROBLEM_TYPE, type Problem } from '../problem.ts'
import type { Answer } from '../route.ts'
import { LINES_TYPE } from './lines.ts'

export interface Reply {
  readonly status: number
  readonly contentType: string
  /** Text or bytes to send, or a stream of them; null for none. */
  readonly body: string | Buffer | Readable | null
  /** Flat: name, value, name, value. */
  readonly headers: readonly string[]
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Names and values that every answer of the API carries. */
export const GUARD: readonly string[] = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'",
  'Vary',
  'Origin',
]

export function answerReply(answer: Answer, consistencyToken: string | null): Reply {
  const headers: string[] = []
  const { body } = answer
  let contentType = body instanceof Readable ? LINES_TYPE : JSON_TYPE
  if (answer.headers !== undefined) {
    for (const [name, value] of Object.entries(answer.headers)) {
      if (name.toLowerCase() === 'content-type') contentType = value
      else headers.push(name, value)
    }
  }
  if (consistencyToken !== null) headers.push('X-Consistency-Token', consistencyToken)
  if (answer.replayed === true) headers.push('Idempotent-Replay', 'true')
  const ready = body instanceof Readable || Buffer.isBuffer(body)
  return { status: answer.status, contentType, body: ready ? body : JSON.stringify(body), headers }
}

export function problemReply({ status, headers, body }: Problem): Reply {
  const flat = Object.entries(headers).flat()
  return { status, contentType: PROBLEM_TYPE, body: JSON.stringify(body), headers: flat }
}

/** Sends it, with `common` headers before its own. A promise only for a stream, settled when it has ended. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  common: readonly string[],
): Promise<void> | undefined {
  const { body } = reply
  if (response.destroyed || response.headersSent) {
    letGo(reply)
    return undefined
  }
  const headers = [...common, 'Content-Type', reply.contentType, ...reply.headers]
  if (body instanceof Readable) {
    response.writeHead(reply.status, headers)
    // What is to come may be long in coming; that the call is answered is told at once.
    response.flushHeaders()
    if (request.method !== 'HEAD') return pipeline(body, response).catch(() => {})
    body.destroy()
    response.end()
    return undefined
  }
  headers.push('Content-Length', String(body === null ? 0 : Buffer.byteLength(body)))
  response.writeHead(reply.status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
  return undefined
}

/** Ends what stands behind a reply that is not sent. */
export function letGo({ body }: Reply): void {
  if (body instanceof Readable) body.destroy()
}
