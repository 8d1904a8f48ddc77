// Closes, while a server stops, the connections that will not get an answer: silent ones, which have never sent a byte
// and which Node counts as busy, and those whose client has stopped in the middle of a request.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionOf } from './http-connection.ts'

/** How often a stopping server looks at its connections. A silent one is closed at the first look. */
const LOOK_EVERY_MS = 250
/** A client that has sent part of a request, and nothing since, is closed after this. */
const PART_SILENT_MS = 500

interface Seen {
  readonly bytes: number
  /** When these bytes were first seen. */
  readonly sinceMs: number
}

export interface UnusedConnections {
  /** The socket now speaks another protocol, which closes it. */
  handedOver(socket: Socket): void
  /** Begins to close; the returned function ends it. */
  begin(): () => void
}

/** Call it before the server listens. O(1) per connection, O(connections) per look. */
export function unusedConnections(server: Server): UnusedConnections {
  const open = new Set<Socket>()
  const watched = new WeakSet<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    // A socket whose upgrade is not served is a connection again.
    if (watched.has(socket)) return
    watched.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    handedOver: (socket) => open.delete(socket),
    begin: () => {
      const seen = new Map<Socket, Seen>()
      const look = () => {
        const nowMs = performance.now()
        for (const socket of open) {
          if (connectionOf(socket)?.isAnswering === true) seen.delete(socket)
          else if (isUnused(socket, seen, nowMs)) socket.destroy()
        }
      }
      look()
      // After the reads of this turn: bytes that have arrived already count.
      const timer = setInterval(() => setImmediate(look), LOOK_EVERY_MS)
      return () => clearInterval(timer)
    },
  }
}

/** Never at the first look at a socket: a request may be on its way. */
function isUnused(socket: Socket, seen: Map<Socket, Seen>, nowMs: number): boolean {
  const before = seen.get(socket)
  if (before?.bytes !== socket.bytesRead) {
    seen.set(socket, { bytes: socket.bytesRead, sinceMs: nowMs })
    return false
  }
  return before.bytes === 0 || nowMs - before.sinceMs >= PART_SILENT_MS
}
