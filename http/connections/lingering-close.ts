// Closes a connection with time to read its last answer, if that answer is sent before the whole request was read (RFC
// 9112, 9.6).

import type { IncomingMessage } from 'node:http'
import { CLOSING_LINGER_MS } from './limits.ts'

/**
 * Node destroys a connection at once after an answer with `Connection: close`. If a part of the body is unread, that
 * resets it, and the client fails in its next write, before it reads the answer. Call this before such an answer ends:
 * the server then ends only its sending side, and destroys the connection when the body is read, or after
 * CLOSING_LINGER_MS. The caller drains the body and limits its bytes. Replaces `socket.destroySoon`, which Node calls
 * after the last answer of a connection.
 */
export function closeLingering(request: IncomingMessage): void {
  const { socket } = request
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), CLOSING_LINGER_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  }
  request.once('end', () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    if (socket.writableEnded) socket.destroySoon()
  })
}
