// Creates the Socket.IO server of the rooms with its settings, attaches it to an HTTP listener beside the API, and
// checks its requests.

import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server } from 'socket.io'
import { type ServerOptions, WebSocketServer } from 'ws'
import {
  type ConnectionAdmission,
  type ConnectionAdmissionDeps,
  RATE_LIMITED,
  rejectConnection,
  SECOND_WEBSOCKET,
} from './connection-admission.ts'
import { arrivalParser } from './decoder.ts'
import { type EngineSocket, tcpOf } from './engine-internals.ts'
import * as limits from './limits.ts'
import type { DropReason } from './metrics.ts'
import { type LimitPostsDeps, limitPosts } from './polling-transport.ts'
import type { PreJoinLimits } from './pre-join-limits.ts'

/** Serves a request outside the rooms' path that asks for an upgrade as a plain request. */
export type Unupgraded = (server: HttpServer, request: IncomingMessage, socket: Duplex, head: Buffer) => void

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

// Requests under `/socket.io/` are checked before Engine.IO handles them. A request that names no live connection
// counts against the rate of its network address, like a handshake, and its body is not read. A second WebSocket for
// one connection is rejected.

interface Upgradable {
  readonly upgrading?: boolean
  readonly upgraded?: boolean
}

interface EngineMiddlewareDeps extends Pick<ConnectionAdmissionDeps, 'admits'> {
  /** Called when a request that names no live connection is rejected. */
  rejected(): void
  dropped(reason: DropReason): void
}

/** Returns an Engine.IO middleware. It answers each request that it does not pass on. */
function engineMiddleware(io: Server, { admits, dropped, rejected }: EngineMiddlewareDeps) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const sid = sidOf(request)
    // A handshake: Engine.IO calls `allowRequest`, which calls `admits`.
    if (sid === null) {
      next()
      return
    }
    const known = connectionOf(io, sid)
    if (known === null) {
      // The body is not read, so the TCP connection must close.
      response.setHeader('Connection', 'close')
      void admits(request).then((isAdmitted) => {
        if (isAdmitted) {
          next()
          return
        }
        rejected()
        rejectConnection(request, RATE_LIMITED)
      })
      return
    }
    const isUpgrade = request.headers.upgrade !== undefined
    if (isUpgrade && (known.upgrading === true || known.upgraded === true)) {
      dropped('upgrade')
      rejectConnection(request, SECOND_WEBSOCKET)
      return
    }
    next()
  }
}

/** The session id that Engine.IO parsed from the query; null if there is none. */
function sidOf(request: IncomingMessage): string | null {
  const query: unknown = Reflect.get(request, '_query')
  const sid: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, 'sid') : undefined
  return typeof sid === 'string' && sid !== '' ? sid : null
}

function connectionOf({ engine }: Server, sid: string): Upgradable | null {
  const clients: unknown = Reflect.get(engine, 'clients')
  if (typeof clients !== 'object' || clients === null || !Object.hasOwn(clients, sid)) return null
  const found: unknown = Reflect.get(clients, sid)
  return typeof found === 'object' ? found : null
}
