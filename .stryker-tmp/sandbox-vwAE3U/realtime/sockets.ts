// Socket.IO as the rooms run it: its settings, and its place on a listener beside the API.

import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server } from 'socket.io'
import { type ServerOptions, WebSocketServer } from 'ws'
import type { ConnectionAdmission } from './connection-admission.ts'
import { arrivalParser } from './decoder.ts'
import { type EngineSocket, tcpOf } from './direct.ts'
import type { Early } from './early.ts'
import { type KnockingDeps, knocking } from './knocking.ts'
import * as limits from './limits.ts'
import { type BoundDeps, boundPosts } from './polled.ts'

/** Serves a request for something else that asked for an upgrade as if it had not. */
export type Unupgraded = (server: HttpServer, request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Socket.IO's default, which clients use unless configured. */
const ROOMS_PATH = '/socket.io/'

export function socketServer(admission: ConnectionAdmission): Server {
  return new Server({
    serveClient: false,
    parser: arrivalParser,
    transports: ['polling', 'websocket'],
    allowEIO3: false,
    wsEngine: BoundedWebSockets,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: limits.CONNECT_MOST_MS,
    upgradeTimeout: limits.UPGRADE_MOST_MS,
    pingInterval: limits.PING_EVERY_MS,
    pingTimeout: limits.PONG_WITHIN_MS,
    maxHttpBufferSize: limits.FRAME_MOST_BYTES,
    destroyUpgrade: false,
    cors: admission.cors,
    allowRequest: (request: IncomingMessage, decided) => admission.allowRequest(request, decided),
  })
}

/** As Engine.IO makes it, with bounds on what it takes in for one message. */
class BoundedWebSockets extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, maxFragments: limits.FRAGMENTS_MOST, maxBufferedChunks: limits.FRAME_PIECES_MOST })
  }
}

interface AttachDeps extends KnockingDeps, Pick<BoundDeps, 'posts'> {
  networkOf(request: IncomingMessage): string
  readonly admission: ConnectionAdmission
  readonly early: Early
  readonly unupgraded: Unupgraded
}

/** Serves `/socket.io/` on this listener. */
export function attachSockets(io: Server, server: HttpServer, deps: AttachDeps): void {
  const { admission, early, unupgraded, networkOf } = deps
  // Before Engine.IO's own listener.
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith(ROOMS_PATH) === true) early.upgrading(request, socket)
    else unupgraded(server, request, socket, head)
  })
  io.attach(server)
  io.engine.use(knocking(io, deps))
  io.engine.on('connection', (conn: EngineSocket) => {
    admission.entered(conn)
    early.entered(conn)
    boundPosts(conn, { ...deps, network: networkOf(conn.request) })
    // Whoever does not answer the closing of a WebSocket could send on for as long as ws waits for that.
    conn.once('close', () => void setTimeout(() => tcpOf(conn)?.destroy(), limits.CLOSING_MOST_MS).unref())
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
