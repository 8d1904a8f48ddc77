// Socket.IO as the rooms run it: its settings, and its place on a listener beside the API.

import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server } from 'socket.io'
import { arrivalParser } from './decoder.ts'
import { type EngineSocket, tcpOf } from './direct.ts'
import type { Doorway } from './doorway.ts'
import * as limits from './limits.ts'
import { boundPosts } from './polled.ts'

/** Serves a request for something else that asked for an upgrade as if it had not. */
export type Unupgraded = (server: HttpServer, request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Socket.IO's own, which clients ask for where they are told nothing else. */
const ROOMS_PATH = '/socket.io/'

export function socketServer(doorway: Doorway): Server {
  return new Server({
    serveClient: false,
    parser: arrivalParser,
    transports: ['polling', 'websocket'],
    allowEIO3: false,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: limits.CONNECT_MOST_MS,
    pingInterval: limits.PING_EVERY_MS,
    pingTimeout: limits.PONG_WITHIN_MS,
    maxHttpBufferSize: limits.FRAME_MOST_BYTES,
    destroyUpgrade: false,
    cors: doorway.cors,
    allowRequest: (request: IncomingMessage, decided) => doorway.allowRequest(request, decided),
  })
}

/** Serves `/socket.io/` on this listener. */
export function attachSockets(io: Server, server: HttpServer, doorway: Doorway, unupgraded: Unupgraded): void {
  io.attach(server)
  io.engine.on('connection', (conn: EngineSocket) => {
    doorway.entered(conn)
    boundPosts(conn)
    // Whoever does not answer the closing of a WebSocket could send on for as long as ws waits for that.
    conn.once('close', () => void setTimeout(() => tcpOf(conn)?.destroy(), limits.CLOSING_MOST_MS).unref())
  })
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith(ROOMS_PATH) !== true) unupgraded(server, request, socket, head)
  })
}

/** Closes what is left after a while. */
export async function closeSockets(io: Server): Promise<void> {
  const end = performance.now() + limits.CLOSING_MOST_MS
  while (io.engine.clientsCount > 0 && performance.now() < end) {
    await new Promise((next) => setTimeout(next, limits.CLOSING_LOOK_EVERY_MS))
  }
  io.engine.close()
}
