// The rejections of handshakes. Socket.IO itself can only answer 403, or 400 for a WebSocket, so the other statuses are
// written here.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { RETRY_AFTER_SECONDS, SOCKETS_PER_ADDRESS, SOCKETS_PER_PLAYER } from './limits.ts'
import type { Full } from './socket-limiter.ts'

export interface Refused {
  readonly status: 400 | 403 | 429 | 503
  /** A code, a colon, and what to do. */
  readonly text: string
}

export const forbidden = (text: string): Refused => ({ status: 403, text })

export const RATE_LIMITED: Refused = {
  status: 429,
  text: 'rate_limited: more connections than this address may make. Wait a few seconds.',
}
export const SECOND_WEBSOCKET: Refused = {
  status: 400,
  text: 'already_upgraded: this connection has a WebSocket, or one is being opened for it. Use that one.',
}
export const CLOSING: Refused = { status: 503, text: 'closing: this server stops. Ask for a new ticket.' }
export const UNAVAILABLE: Refused = {
  status: 503,
  text: 'unavailable: a backing service does not answer. Ask for a new ticket in a moment.',
}
export const FULL: Readonly<Record<Full, Refused>> = {
  node: { status: 503, text: 'server_full: this server has as many connections as it takes. Try again in a moment.' },
  address: {
    status: 429,
    text: `too_many_connections: one address has at most ${SOCKETS_PER_ADDRESS} connections here. Close one first.`,
  },
  player: {
    status: 429,
    text: `too_many_connections: one player has at most ${SOCKETS_PER_PLAYER} connections here. Close one first, and ask for a new ticket.`,
  },
}

/** Engine.IO's error code for a handshake that is not allowed. */
const FORBIDDEN = 4

/** Answers the handshake and ends it. Do not call Engine.IO's callback afterwards. */
export function rejectConnection(request: IncomingMessage, { status, text }: Refused): void {
  const body = JSON.stringify({ code: FORBIDDEN, message: text })
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Retry-After': String(RETRY_AFTER_SECONDS),
  }
  // Engine.IO sets `res` on plain requests; upgrade requests have none.
  const { res } = request as { readonly res?: ServerResponse }
  if (res !== undefined) {
    res.writeHead(status, headers).end(body)
    return
  }
  const { socket } = request
  socket.on('error', () => {})
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')}`)
  socket.destroySoon()
}
