// What never becomes a request: bytes that are no HTTP, headers beyond the limit, requests that stop half-way. They get
// a short problem document too, and the connection ends.

import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../../domain/decider.ts'
import { connectionOf } from '../connections/http-connection.ts'
import { REFUSED_LINGER_MS } from '../connections/limits.ts'
import type { EdgeMetrics } from '../connections/metrics.ts'
import { HttpRefusal, malformed, PROBLEM_TYPE, toProblem } from '../problem.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** Connections whose request is timed by its route: an upload may take longer than any other request. */
const timedByRoutes = new WeakSet<Duplex>()

/**
 * Node's limit on how long a request takes to arrive does not hold on this connection until
 * the answered function is called.
 */
export function timeByRoute(socket: Duplex): () => void {
  timedByRoutes.add(socket)
  return () => timedByRoutes.delete(socket)
}

/** `metrics`: left out where nothing is counted. */
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
  // What came before is answered first: this answer would be taken for one of theirs.
  if (connection === undefined) refuse()
  else connection.fail(refuse)
}

/** A CONNECT asks for a tunnel; there are none. Node has taken its own listeners from the socket, and counts it no more. */
export function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  const refusal = new HttpRefusal(405, 'method_not_allowed', 'There are no tunnels here.', { Allow: 'GET, POST' })
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
      return new HttpRefusal(431, 'headers_too_large', 'The headers are larger than this server takes.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpRefusal(413, 'body_too_large', 'The chunk extensions are larger than this server takes.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpRefusal(408, 'request_timeout', 'The request took too long to arrive.')
    default:
      return malformed([{ pointer: '', detail: 'this is not HTTP/1.1 as this server reads it' }])
  }
}

/**
 * Answers, and closes the connection when there was time to read that: a client may keep its side open, and one that has gone
 * is not noticed where nothing is read.
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
