// What goes out on the wire: one write of status, headers and body. Every answer carries the same guard of headers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Release } from '../connections/budget.ts'
import { connectionOf } from '../connections/connection.ts'
import { ANSWER_PIECE_BYTES } from '../connections/limits.ts'
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
  /** The body is a buffer that all such answers share. */
  readonly isShared?: boolean
}

const NOT_MODIFIED = 304
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
  const { status, isShared = false } = answer
  return { status, contentType, body: serialised(answer), headers, isShared }
}

function serialised({ status, body }: Answer): Reply['body'] {
  if (body instanceof Readable || Buffer.isBuffer(body)) return body
  return status === NOT_MODIFIED ? null : JSON.stringify(body)
}

export function problemReply({ status, headers, body }: Problem): Reply {
  const flat = Object.entries(headers).flat()
  return { status, contentType: PROBLEM_TYPE, body: JSON.stringify(body), headers: flat }
}

/**
 * Sends it, with `common` headers before its own. A promise only for what goes out in pieces, settled when it has ended.
 * `takeRoom` is asked before a large answer is held for its reader, and may throw: nothing is sent then.
 */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  common: readonly string[],
  takeRoom: (bytes: number) => Release = () => () => {},
): Promise<void> | undefined {
  if (response.destroyed || response.headersSent) {
    letGo(reply)
    return undefined
  }
  const { status } = reply
  const headers = [...common]
  if (status !== NOT_MODIFIED) headers.push('Content-Type', reply.contentType)
  headers.push(...reply.headers)
  if (reply.body instanceof Readable) return sendStream(request, response, { ...reply, headers }, reply.body)
  const body = inOneOrPieces(reply.body)
  if (status !== NOT_MODIFIED) headers.push('Content-Length', String(body === null ? 0 : Buffer.byteLength(body)))
  if (body === null || request.method === 'HEAD' || typeof body === 'string' || body.length <= ANSWER_PIECE_BYTES) {
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
    return undefined
  }
  // What was recorded is answered, however little room there is.
  const isRefusable = request.method === 'GET' && reply.isShared !== true
  const release = isRefusable ? takeRoom(body.length) : () => {}
  return sendPieces(response, status, headers, body).finally(release)
}

function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers }: Reply,
  body: Readable,
): Promise<void> | undefined {
  response.writeHead(status, [...headers])
  // The body may take long: the status and headers are sent at once.
  response.flushHeaders()
  if (request.method !== 'HEAD') {
    connectionOf(request.socket)?.answersStream()
    return pipeline(body, response).catch(() => {})
  }
  body.destroy()
  response.end()
  return undefined
}

/** Text that does not fit into one piece is encoded once. */
function inOneOrPieces(body: string | Buffer | null): string | Buffer | null {
  return typeof body === 'string' && body.length > ANSWER_PIECE_BYTES ? Buffer.from(body) : body
}

async function sendPieces(response: ServerResponse, status: number, headers: string[], body: Buffer): Promise<void> {
  response.writeHead(status, headers)
  for (let at = 0; at < body.length; at += ANSWER_PIECE_BYTES) {
    if (!(await isTaken(response, body.subarray(at, at + ANSWER_PIECE_BYTES)))) return
  }
  response.end()
}

/** Whether the system took the piece; false when the connection is gone. */
function isTaken(response: ServerResponse, piece: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const gone = () => resolve(false)
    response.once('close', gone)
    response.write(piece, (failure) => {
      response.off('close', gone)
      resolve(failure === null || failure === undefined)
    })
  })
}

/** Ends what stands behind a reply that is not sent. */
export function letGo({ body }: Reply): void {
  if (body instanceof Readable) body.destroy()
}
