// Creates the Socket.IO server of the rooms with its settings, and attaches it to an HTTP listener beside the API.

import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server } from 'socket.io'
import { type ServerOptions, WebSocketServer } from 'ws'
import type { ConnectionAdmission } from './connection-admission.ts'
import { arrivalParser } from './decoder.ts'
import { type EngineSocket, tcpOf } from './engine-internals.ts'
import { type EngineMiddlewareDeps, engineMiddleware } from './engine-middleware.ts'
import * as limits from './limits.ts'
import { type LimitPostsDeps, limitPosts } from './polling-transport.ts'
import type { PreJoinLimits } from './pre-join-limits.ts'

/** Serves a request outside the rooms' path that asks for an upgrade as a plain request. */
export type Unupgraded = (server: HttpServer, request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The default path of Socket.IO clients. */
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
    connectTimeout: limits.CONNECT_MAX_MS,
    upgradeTimeout: limits.UPGRADE_MAX_MS,
    pingInterval: limits.PING_EVERY_MS,
    pingTimeout: limits.PONG_WITHIN_MS,
    maxHttpBufferSize: limits.FRAME_MAX_BYTES,
    destroyUpgrade: false,
    cors: admission.cors,
    allowRequest: (request: IncomingMessage, decided) => admission.allowRequest(request, decided),
  })
}

/** The WebSocket server that Engine.IO creates, with limits on the fragments and chunks of one message. */
class BoundedWebSockets extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, maxFragments: limits.FRAGMENTS_MAX, maxBufferedChunks: limits.FRAME_CHUNKS_MAX })
  }
}

interface AttachDeps extends EngineMiddlewareDeps, Pick<LimitPostsDeps, 'bodyReader'> {
  networkOf(request: IncomingMessage): string
  readonly admission: ConnectionAdmission
  readonly preJoin: PreJoinLimits
  readonly unupgraded: Unupgraded
}

/** Serves `/socket.io/` on this listener. */
export function attachSockets(io: Server, server: HttpServer, deps: AttachDeps): void {
  const { admission, preJoin, unupgraded, networkOf } = deps
  // Must be registered before Engine.IO's own listener.
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith(ROOMS_PATH) === true) preJoin.upgrading(request, socket)
    else unupgraded(server, request, socket, head)
  })
  io.attach(server)
  io.engine.use(engineMiddleware(io, deps))
  io.engine.on('connection', (conn: EngineSocket) => {
    admission.entered(conn)
    preJoin.entered(conn)
    limitPosts(conn, { ...deps, network: networkOf(conn.request) })
    // `ws` waits long for the close frame of the client, and a client could keep sending until then.
    conn.once('close', () => void setTimeout(() => tcpOf(conn)?.destroy(), limits.CLOSING_MAX_MS).unref())
  })
}

/** Waits up to CLOSING_MAX_MS for connections to end, then closes the rest. */
export async function closeSockets(io: Server): Promise<void> {
  const end = performance.now() + limits.CLOSING_MAX_MS
  while (io.engine.clientsCount > 0 && performance.now() < end) {
    await new Promise((next) => setTimeout(next, limits.CLOSING_CHECK_EVERY_MS))
  }
  io.engine.close()
}
