// The HTTP server: listening, connection limits and graceful shutdown. Middlewares and routes are in app.ts.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Registry } from 'prom-client'
import { callerNetwork, peerNetwork } from '../runtime/network.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import { createApp } from './app.ts'
import type { Exceeded } from './connections/budget.ts'
import { createEdge, createReserveBody, type Edge, type EdgeDeps, limitConnections } from './connections/edge.ts'
import { connectionOf } from './connections/http-connection.ts'
import { answerInOrder, type InOrder, type InOrderOptions } from './connections/in-order.ts'
import { HEADERS_MAX } from './connections/limits.ts'
import { answerSocketFault, refuseTunnel } from './connections/socket-faults.ts'
import { type UnusedConnections, unusedConnections } from './connections/unused-connections.ts'
import { serveUnupgraded } from './connections/upgrades.ts'
import { readChunksOnArrival } from './pipeline/body.ts'
import { answerHealth, type Ready } from './pipeline/health.ts'
import type { RawRoute } from './pipeline/router.ts'
import { createServices, type PipelineDeps } from './pipeline/services.ts'
import type { Route } from './route.ts'

export const HEADERS_TIMEOUT_MS = 15_000
export const REQUEST_TIMEOUT_MS = 60_000
/** Longer than the idle time of the proxies in common use (60 s), so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000
/**
 * How long a closing server keeps idle connections open for requests already sent: without and with running requests. …
 */
const LINGER_MS = 250
const BUSY_LINGER_MS = 600
/**
 * … Waits again, up to MAX_LATE_WAITS times, if the timer fired more than LATE_MS late: on a busy machine callers are
 * late too.
 */
const LATE_MS = 100
const MAX_LATE_WAITS = 8
const CONNECTIONS_CHECKED_EVERY_MS = 5_000
export const HEADERS_MAX_BYTES = 16_384
/** Backlog of connections not accepted yet. The system may allow fewer (`net.core.somaxconn`). */
const BACKLOG = 4_096

export interface HttpServer {
  /** Node's server, for Socket.IO to attach to. */
  readonly server: Server
  /** Resolves to the port; 0 lets the system choose one. */
  listen(port: number, host: string): Promise<number>
  /** Stops accepting, waits up to `graceMs` for running requests, then destroys the remaining connections. */
  close(graceMs: number): Promise<void>
}

export function createHttpServer(
  deps: PipelineDeps,
  routes: readonly Route[],
  rawRoutes: readonly RawRoute[] = [],
): HttpServer {
  let closing = false
  const edge = createEdge(deps)
  const services = createServices(deps, edge, () => closing)
  const app = createApp(services, { routes, rawRoutes })
  const onClosing = () => {
    closing = true
  }
  return listener(app.callback(), onClosing, edge)
}

/** The listener for operators: /metrics and /health/*, nothing else. */
export function createAdminServer({ metrics, ready }: { metrics: Registry; ready: Ready }): HttpServer {
  return listener(
    (request, response) => {
      if (!answerHealth(request, response, ready, metrics)) response.writeHead(404).end()
    },
    () => {},
    null,
  )
}

/** The listener of a process that serves only the realtime rooms: `/health/*` and Socket.IO. */
export function createRoomsListener(ready: Ready, deps: EdgeDeps): HttpServer {
  let closing = false
  return listener(
    (request, response) => {
      if (!answerHealth(request, response, () => !closing && ready(), null)) response.writeHead(404).end()
    },
    () => {
      closing = true
    },
    createEdge(deps),
  )
}

/** `edge`: null for no limits. */
function listener(
  onRequest: (request: IncomingMessage, response: ServerResponse) => unknown,
  onClosing: () => void,
  edge: Edge | null,
): HttpServer {
  const options = {
    // The pipeline checks Host: Node's own answer would not be a problem document.
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECKED_EVERY_MS,
    maxHeaderSize: HEADERS_MAX_BYTES,
  }
  const server = createServer(options, onRequest)
  // Node drops further headers, also of a head that is still arriving. The one more tells the pipeline that there were
  // too many.
  server.maxHeadersCount = HEADERS_MAX + 1
  let inOrder: InOrder | null = null
  server.on('clientError', (error, socket) => answerSocketFault(error, socket, edge?.metrics))
  const unused = unusedConnections(server)
  if (edge !== null) limit(server, edge, unused)
  server.on('connect', (_request, socket) => refuseTunnel(socket))
  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        // Only now have all listeners been added. Without rooms, no other listener handles upgrades.
        const takenBy = server.listenerCount('upgrade')
        if (edge !== null && takenBy === 1) server.on('upgrade', (...asked) => serveUnupgraded(server, ...asked))
        inOrder = answerInOrder(server, { ...inOrderOptions(edge), arrived: readChunksOnArrival })
        server.once('error', reject)
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject)
          resolve((server.address() as AddressInfo).port)
        })
      }),
    close: async (graceMs) => {
      // Closing the listener resets connections that the system has accepted and this process has not: accept those
      // first, and before clients are asked to reconnect, which would add more.
      for (let turn = 0; turn < 2; turn++) await yieldToEventLoop()
      onClosing()
      const lingerMs = (inOrder?.busy ?? 0) > 0 ? BUSY_LINGER_MS : LINGER_MS
      const idle = closeIdle(server, lingerMs)
      const endClosing = unused.begin()
      const cut = setTimeout(() => {
        server.closeAllConnections()
        inOrder?.cut()
      }, graceMs)
      // Not http's close, which destroys idle connections at once although a request may be in transit. This way each
      // late request is answered with Connection: close until only idle connections are left.
      await new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      idle.stop()
      endClosing()
      inOrder?.stop()
      clearTimeout(cut)
      // Only stops http's own timer, which would keep the server in memory.
      server.close(() => {})
    },
  }
}

function inOrderOptions(edge: Edge | null): InOrderOptions {
  if (edge === null) return {}
  const { metrics, limits, scheduler, slots, trusted } = edge
  const addressOf = (request: IncomingMessage) => callerNetwork(request, trusted)
  const reserveBody = createReserveBody(limits.bodies, addressOf)
  return { ...metrics, ...limits, scheduler, slots, addressOf, reserveBody }
}

function limit(server: Server, { metrics, trusted, limits, scheduler }: Edge, unused: UnusedConnections): void {
  const refused = (exceeded: Exceeded) => metrics.refused('connection', exceeded)
  const limiter = limitConnections(server, { ...limits.connections, trusted, refused })
  metrics.watch(() => limiter.open)
  server.on('connection', (socket: Socket) => {
    const network = socket.destroyed ? null : peerNetwork(socket, trusted)
    if (network !== null) scheduler.add(socket, network)
  })
  for (const event of ['upgrade', 'connect']) {
    server.on(event, (_request, socket: Socket) => {
      scheduler.remove(socket)
      connectionOf(socket)?.handedOver()
      unused.handedOver(socket)
    })
  }
}

/** Closes idle connections repeatedly until stopped. */
function closeIdle(server: Server, lingerMs: number): { stop(): void } {
  let timer: NodeJS.Timeout
  let lates = 0
  const wait = () => {
    const dueMs = performance.now() + lingerMs
    timer = setTimeout(() => {
      const isLate = performance.now() - dueMs > LATE_MS && lates++ < MAX_LATE_WAITS
      // Timers run before I/O: setImmediate lets unread requests of seemingly idle connections be read first.
      if (!isLate) setImmediate(() => server.closeIdleConnections())
      wait()
    }, lingerMs)
  }
  wait()
  return { stop: () => clearTimeout(timer) }
}
