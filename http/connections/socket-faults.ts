// Handles connections without a valid request: bytes that are not HTTP, oversized headers, requests that stop arriving.
// Answers with a short problem document and closes the connection.

import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../../domain/decider.ts'
import { HttpRefusal, malformed, PROBLEM_TYPE, SECURITY_HEADERS, toProblem } from '../problem.ts'
import type { EdgeMetrics } from './edge.ts'
import { connectionOf } from './http-connection.ts'
import { REFUSED_LINGER_MS } from './limits.ts'

/** Connections whose route enforces its own timeout: an upload may take longer than other requests. */
const timedByRoutes = new WeakSet<Duplex>()

/**
 * Disables Node's request timeout on this connection until the returned function is called.
 */
export function timeByRoute(socket: Duplex): () => void {
  timedByRoutes.add(socket)
  return () => timedByRoutes.delete(socket)
}

/** Answers a `clientError` of Node's server. `metrics`: optional. */
export function answerSocketFault(error: Error, socket: Duplex, metrics?: Pick<EdgeMetrics, 'unreadable'>): void {
  // Node only emits an event, once per request; the next request on this connection gets a new timer.
  if (timedByRoutes.has(socket) && 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return
  const connection = connectionOf(socket)
  if ('code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection?.excuseTimeout() === true) return
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy()
    return
  }
  const refusal = refusalOf('code' in error ? String(error.code) : '')
  metrics?.unreadable(refusal.code)
  const refuse = () => refuseSocket(socket, refusal)
  // Earlier requests are answered first: otherwise the client would take this answer for the answer to one of them.
  if (connection === undefined) refuse()
  else connection.fail(refuse)
}

/** Refuses CONNECT. Node has removed its listeners from the socket and no longer tracks it. */
export function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  const refusal = new HttpRefusal(405, 'method_not_allowed', 'This server does not support CONNECT.', {
    Allow: 'GET, POST',
  })
  const refuse = () => {
    refuseSocket(socket, refusal)
    socket.resume()
  }
  const connection = connectionOf(socket)
  if (connection === undefined) refuse()
  else connection.afterAnswersAlone(refuse)
}

function refusalOf(code: string): HttpRefusal | Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpRefusal(431, 'headers_too_large', 'The path or the headers are too large.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpRefusal(413, 'body_too_large', 'The chunk extensions are too large.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpRefusal(408, 'request_timeout', 'The request took too long to arrive.')
    default:
      return malformed([{ pointer: '', detail: 'is not valid HTTP/1.1' }])
  }
}

/**
 * Answers, and destroys the connection after REFUSED_LINGER_MS: the client may keep its side open, and a disconnect
 * goes unnoticed while nothing is read.
 */
function refuseSocket(socket: Duplex, refusal: Error): void {
  const requestId = randomUUID()
  const { status, headers, body } = toProblem(refusal, requestId)
  const text = JSON.stringify(body)
  const flat = ['X-Request-Id', requestId, ...SECURITY_HEADERS, ...Object.entries(headers).flat()]
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close', `Content-Type: ${PROBLEM_TYPE}`]
  for (let at = 0; at < flat.length; at += 2) lines.push(`${flat[at]}: ${flat[at + 1]}`)
  lines.push(`Content-Length: ${Buffer.byteLength(text)}`, '', text)
  socket.end(lines.join('\r\n'))
  setTimeout(() => socket.destroy(), REFUSED_LINGER_MS).unref()
}
