// The HTTP server: starts, serves and stops in order. What a request passes is in app.ts; nothing here knows a route.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Registry } from 'prom-client'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import { createApp } from './app.ts'
import { limitConnections } from './connection-limiter.ts'
import { readChunksOnArrival } from './connections/body-bytes.ts'
import type { Exceeded } from './connections/budget.ts'
import { createEdge, type Edge, type EdgeDeps } from './connections/edge.ts'
import { connectionOf } from './connections/http-connection.ts'
import { answerInOrder, type InOrder, type InOrderOptions } from './connections/in-order.ts'
import { createReserveBody } from './connections/reserve-body.ts'
import type { PipelineDeps, RawRoute } from './pipeline/deps.ts'
import { answerHealth, type Ready } from './pipeline/health.ts'
import { callerNetwork, peerNetwork } from './pipeline/network.ts'
import { createServices } from './pipeline/services.ts'
import { answerSocketFault, refuseTunnel } from './pipeline/socket-faults.ts'
import { serveUnupgraded } from './pipeline/upgrades.ts'
import type { Route } from './route.ts'

/** A request's headers must be here within this time, and all of it within the other. */
export const HEADERS_TIMEOUT_MS = 15_000
export const REQUEST_TIMEOUT_MS = 60_000
/** Longer than the idle time of the proxies in common use (60 s), so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000
/**
 * How long a closing server waits for requests that were sent before their sender knew, and
 * where some run as it closes; …
 */
const LINGER_MS = 250
const BUSY_LINGER_MS = 1_000
/**
 * … as often as it took so much longer, though no more than so often: where this process
 * waits for its turn, so do callers.
 */
const LATE_MS = 100
const LATE_MOST = 8
/** How often Node looks for connections past their time. */
const CONNECTIONS_CHECKED_EVERY_MS = 5_000
export const HEADERS_MAX_BYTES = 16_384
/** Connections that the system completes while this process is busy. The system may allow fewer (`net.core.somaxconn`). */
const BACKLOG = 4_096

export interface HttpServer {
  /** Node's server, for Socket.IO to attach to. */
  readonly server: Server
  /** Answers the port, which is of the system's choosing for 0. */
  listen(port: number, host: string): Promise<number>
  /** Stops accepting, lets what runs finish within `graceMs`, and cuts the rest. */
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

/** The listener of a process that serves the rooms apart: `/health/*` beside them, nothing else. */
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

/** `edge`: null where nothing is limited. */
function listener(
  onRequest: (request: IncomingMessage, response: ServerResponse) => unknown,
  onClosing: () => void,
  edge: Edge | null,
): HttpServer {
  const options = {
    // Node's own answer to a missing Host would be no problem document: the pipeline checks it.
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECKED_EVERY_MS,
    maxHeaderSize: HEADERS_MAX_BYTES,
  }
  const server = createServer(options, onRequest)
  let inOrder: InOrder | null = null
  server.on('clientError', (error, socket) => answerSocketFault(error, socket, edge?.metrics))
  if (edge !== null) limit(server, edge)
  server.on('connect', (_request, socket) => refuseTunnel(socket))
  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        // Now, as others have added their listeners since. Without rooms nobody else takes what asks for an upgrade.
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
      // The system has accepted connections that this process has not, and would reset them with the listener. Before
      // any client is asked to reconnect: it would come back at once and be reset too.
      for (let turns = 0; turns < 2; turns++) await yieldToEventLoop()
      onClosing()
      const lingerMs = (inOrder?.busy ?? 0) > 0 ? BUSY_LINGER_MS : LINGER_MS
      const idle = closeIdle(server, lingerMs)
      const cut = setTimeout(() => {
        server.closeAllConnections()
        inOrder?.cut()
      }, graceMs)
      // Not the close of http itself, which cuts idle connections at once, though a request may be on its way in one.
      // Each is answered, and told to connect no more this way, until those are left that are idle indeed.
      await new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      idle.stop()
      inOrder?.stop()
      clearTimeout(cut)
      // Nothing is left to close but http's own timer, which would keep the server, and all behind it, for ever.
      server.close(() => {})
    },
  }
}

function inOrderOptions(edge: Edge | null): InOrderOptions {
  if (edge === null) return {}
  const { metrics, limits, scheduler, places, trusted } = edge
  const addressOf = (request: IncomingMessage) => callerNetwork(request, trusted)
  const reserveBody = createReserveBody(limits.bodies, addressOf)
  return { ...metrics, ...limits, scheduler, places, addressOf, reserveBody }
}

function limit(server: Server, { metrics, trusted, limits, scheduler }: Edge): void {
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
    })
  }
}

/** Closes connections in which nothing is asked, again and again, until it is stopped. */
function closeIdle(server: Server, lingerMs: number): { stop(): void } {
  let timer: NodeJS.Timeout
  let lates = 0
  const wait = () => {
    const dueMs = performance.now() + lingerMs
    timer = setTimeout(() => {
      const isLate = performance.now() - dueMs > LATE_MS && lates++ < LATE_MOST
      // Timers come before what arrived: a request may lie unread in a connection that seems idle, and is read first.
      if (!isLate) setImmediate(() => server.closeIdleConnections())
      wait()
    }, lingerMs)
  }
  wait()
  return { stop: () => clearTimeout(timer) }
}
