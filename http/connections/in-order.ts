// Answers the requests of each connection in order, and closes connections whose clients stop reading.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type Release, siteOf } from './budget.ts'
import { WaitingBudget } from './edge.ts'
import { FairStart } from './fair-start.ts'
import {
  type BusyConnection,
  type CloseReason,
  type ConnectionDeps,
  connectionOf,
  countParsed,
  HttpConnection,
  type WaitingSlots,
} from './http-connection.ts'
import { EDGE_LIMITS, type EdgeLimits, hasTooManyHeaders, PARSED_BY_TOO_MANY_HEADERS } from './limits.ts'
import { ReadScheduler } from './read-scheduler.ts'

type Limits = Pick<EdgeLimits, 'answerStallMs' | 'streamStallMs' | 'progressCheckEveryMs'>

export interface InOrderOptions extends Partial<Limits> {
  paused?(): void
  closed?(reason: CloseReason): void
  /** The network address of a request. Without it, requests start at once. */
  addressOf?(request: IncomingMessage): string
  /** Called for a request that waits because its network address has used its starts of this turn. */
  deferred?(): void
  /** Decides which connections are read. Default: one that knows no network addresses. */
  readonly scheduler?: ReadScheduler
  /** Limits waiting requests. Default: EDGE_LIMITS. */
  readonly slots?: WaitingSlots
  /** Reserves memory for the body of a waiting request until the request closes; null if the limit is reached. */
  reserveBody?(request: IncomingMessage): Release | null
  /** Called with each request as soon as its headers are parsed; the listeners of a waiting request run later. */
  arrived?(request: IncomingMessage): void
}

export interface InOrder {
  readonly busy: number
  /** Destroys those connections, including upgraded ones, which Node no longer tracks. */
  cut(): void
  stop(): void
}

/** Call it after all 'request' listeners are added: it replaces them and calls them in order. */
export function answerInOrder(server: Server, options: InOrderOptions = {}): InOrder {
  const { paused, closed, arrived, addressOf, reserveBody, scheduler = new ReadScheduler() } = options
  const { slots = new WaitingBudget(EDGE_LIMITS.waiting, scheduler) } = options
  const { answerStallMs, streamStallMs, progressCheckEveryMs } = { ...EDGE_LIMITS, ...options }
  const listeners = server.listeners('request') as RequestListener[]
  const busy = new Set<BusyConnection>()
  const fair = new FairStart(options)
  const deps: ConnectionDeps = {
    busy,
    answerStallMs,
    streamStallMs,
    counter: scheduler,
    slots,
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
    if (hasTooManyHeaders(request)) countParsed(request.socket, PARSED_BY_TOO_MANY_HEADERS)
    arrived?.(request)
    const start = () => {
      for (const listener of listeners) listener.call(server, request, response)
    }
    connection.take({ request, response, start })
  }
  server.removeAllListeners('request')
  server.on('request', onRequest)
  // A server may ignore unknown expectations (RFC 9110, 10.1.1); Node would answer 417.
  server.on('checkExpectation', onRequest)
  // 100 Continue is sent when the body is read, so the caller never sends the body of a call refused earlier.
  server.on('checkContinue', onRequest)

  const polling = setInterval(() => {
    const nowMs = performance.now()
    for (const connection of busy) {
      if (!connection.isStalled(nowMs)) continue
      connection.socket.destroy()
      closed?.('stalled')
    }
  }, progressCheckEveryMs)
  polling.unref()
  return {
    get busy() {
      return busy.size
    },
    cut: () => {
      for (const { socket } of busy) socket.destroy()
    },
    stop: () => clearInterval(polling),
  }
}
