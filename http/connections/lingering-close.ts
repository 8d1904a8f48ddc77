// Closes a connection with time to read its last answer, if that answer is sent before the whole request was read (RFC 9112, 9.6).

import type { IncomingMessage } from 'node:http'
import { CLOSING_LINGER_MS } from './limits.ts'

/**
 * Node closes a connection at once after an answer with `Connection: close`. With a part of the body unread, that resets it: the
 * client fails in its next write, before it reads the answer. After this call only the sending side ends then; the connection is
 * closed when the body is read, or after CLOSING_LINGER_MS. The caller drains the body and limits its bytes.
 */
export function closeLingering(request: IncomingMessage): void {
  const { socket } = request
  // What Node calls after the last answer of a connection.
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), CLOSING_LINGER_MS).unref()
  }
  request.once('end', () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    if (socket.writableEnded) socket.destroySoon()
  })
}
