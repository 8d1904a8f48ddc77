// Puts a server's requests in the order of their connections, and closes connections whose answers are not read.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type Release, siteOf } from './budget.ts'
import type { BusyConnection, CloseReason, ConnectionDeps, WaitingPlaces } from './connection-deps.ts'
import { FairStart } from './fair-start.ts'
import { connectionOf, HttpConnection } from './http-connection.ts'
import { EDGE_LIMITS, type EdgeLimits, HEADERS_PER_REQUEST } from './limits.ts'
import { countParsed } from './parse-counter.ts'
import { ReadScheduler } from './read-scheduler.ts'
import { WaitingBudget } from './waiting-budget.ts'

type Limits = Pick<EdgeLimits, 'answerStallMs' | 'streamStallMs' | 'progressCheckEveryMs'>

export interface InOrderOptions extends Partial<Limits> {
  /** Called for a request that waits behind another. */
  paused?(): void
  /** Called for each connection closed by this process. */
  closed?(reason: CloseReason): void
  /** The network address that a request comes from. Where it is left out, requests start at once. */
  addressOf?(request: IncomingMessage): string
  /** Called for a request that waits, as its network address started as many in this turn as it may. */
  deferred?(): void
  /** Decides which connections are read. Where it is left out, none of them counts for a network address. */
  readonly scheduler?: ReadScheduler
  /** Bounds requests that wait. Left out: by EDGE_LIMITS. */
  readonly places?: WaitingPlaces
  /** Takes room for the body of a request that has to wait, until the request closes; null where there is none. */
  reserveBody?(request: IncomingMessage): Release | null
  /** Called with each request as soon as it is parsed, which for one that waits is before its listeners are. */
  arrived?(request: IncomingMessage): void
}

export interface InOrder {
  /** Connections that have an unanswered request. */
  readonly busy: number
  /** Cuts all of those, also connections that Node counts no more, at an upgrade. */
  cut(): void
  stop(): void
}

/** To be called once all listeners for `request` are there: it calls them. */
export function answerInOrder(server: Server, options: InOrderOptions = {}): InOrder {
  const { paused, closed, arrived, addressOf, reserveBody, scheduler = new ReadScheduler() } = options
  const { places = new WaitingBudget(EDGE_LIMITS.waiting, scheduler) } = options
  const { answerStallMs, streamStallMs, progressCheckEveryMs } = { ...EDGE_LIMITS, ...options }
  const listeners = server.listeners('request') as RequestListener[]
  const busy = new Set<BusyConnection>()
  const fair = new FairStart(options)
  const deps: ConnectionDeps = {
    busy,
    answerStallMs,
    streamStallMs,
    counter: scheduler,
    places,
    reserveBody: (request) => (reserveBody === undefined ? () => {} : reserveBody(request)),
    closed: (reason) => closed?.(reason),
    inTurn: (request, start) => {
      if (addressOf !== undefined) return fair.start(siteOf(addressOf(request)), start)
      start()
      return () => {}
    },
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(request.socket) ?? new HttpConnection(request.socket, deps)
    if (connection.unanswered > 0) paused?.()
    const headers = request.rawHeaders.length / 2
    if (headers > HEADERS_PER_REQUEST) countParsed(request.socket, Math.floor(headers / HEADERS_PER_REQUEST))
    arrived?.(request)
    const start = () => {
      for (const listener of listeners) listener.call(server, request, response)
    }
    connection.take({ request, response, start })
  }
  server.removeAllListeners('request')
  server.on('request', onRequest)
  // An expectation other than 100-continue may be passed over (RFC 9110, 10.1.1); Node would answer 417 by itself.
  server.on('checkExpectation', onRequest)
  // The caller is asked for the body where it is read, so that what is refused before that is not sent at all.
  server.on('checkContinue', onRequest)

  const looking = setInterval(() => {
    const nowMs = performance.now()
    for (const connection of busy) {
      if (!connection.isStalled(nowMs)) continue
      connection.socket.destroy()
      closed?.('stalled')
    }
  }, progressCheckEveryMs)
  looking.unref()
  return {
    get busy() {
      return busy.size
    },
    cut: () => {
      for (const { socket } of busy) socket.destroy()
    },
    stop: () => clearInterval(looking),
  }
}
