// What a client posts where it polls: one request brings as many packets as there is room for. They are read in turn
// like a WebSocket's frames, and its next request is not, while it is held.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Backpressure } from './backpressure.ts'
import type { EngineSocket } from './direct.ts'
import { Intake, type WaitingFrames } from './intake.ts'
import { POSTED_MOST } from './limits.ts'
import type { DropReason } from './metrics.ts'
import type { Posted, Posts } from './posts.ts'

/** What Engine.IO's polling transport and its connection have beside what they declare to others. */
interface Polling {
  /** The request whose body is being read: Engine.IO ends it with the connection. */
  dataReq: IncomingMessage | null | undefined
  onData(data: string): void
  onPacket(packet: unknown): void
  onError(reason: string): void
  onDataRequest(request: IncomingMessage, response: ServerResponse): void
  headers(request: IncomingMessage, headers: Record<string, string>): Record<string, string>
}
interface Receiving {
  onPacket(packet: unknown): void
}

const SEPARATOR = '\x1e'

const has = (one: object, ...methods: readonly string[]): boolean =>
  methods.every((name) => typeof Reflect.get(one, name) === 'function')

const isPolling = (transport: object): transport is Polling =>
  has(transport, 'onData', 'onPacket', 'onError', 'onDataRequest', 'headers')

const isReceiving = (conn: object): conn is Receiving => has(conn, 'onPacket')

/** Null where it polls not, or not as is known here: then what is posted goes the long way. */
function pollingOf({ transport }: EngineSocket): Polling | null {
  const one: object = transport
  return transport.name === 'polling' && isPolling(one) ? one : null
}

export interface BoundDeps {
  readonly posts: Posts
  readonly network: string
  dropped(reason: DropReason): void
}

/**
 * Reads what this connection posts within bounds, and ends it where one request brings more packets than a flooder may
 * send before it is cut.
 */
export function boundPosts(conn: EngineSocket, { posts, network, dropped }: BoundDeps): void {
  const polling = pollingOf(conn)
  if (polling === null) return
  polling.onDataRequest = (request, response) => {
    if (polling.dataReq) {
      polling.onError('data request overlap from client')
      refuse(response, 400)
      return
    }
    polling.dataReq = request
    void posts.read(request, network).then((body) => {
      const posted = bounded(body)
      polling.dataReq = null
      if (posted === 'gone') polling.onError('data request connection closed prematurely')
      else if ('status' in posted) {
        dropped('post')
        polling.onError('data request out of bounds')
        refuse(response, posted.status)
      } else {
        polling.onData(posted.text)
        response.writeHead(200, polling.headers(request, { 'Content-Type': 'text/html', 'Content-Length': '2' }))
        response.end('ok')
      }
    })
  }
}

/** Answers, and ends the connection that the rest of the body would come by. */
const refuse = (response: ServerResponse, status: number) =>
  void response.writeHead(status, { Connection: 'close' }).end()

/** 413 for a body with more packets than one request may bring. */
const bounded = (posted: Posted): Posted =>
  posted !== 'gone' && 'text' in posted && isTooMany(posted.text) ? { status: 413 } : posted

function isTooMany(data: string): boolean {
  let packets = 1
  for (let at = data.indexOf(SEPARATOR); at >= 0; at = data.indexOf(SEPARATOR, at + 1)) {
    if (++packets > POSTED_MOST) return true
  }
  return false
}

/** Two bytes at most for each unit of its text. */
function packetBytes(packet: unknown): number {
  const data: unknown = typeof packet === 'object' && packet !== null && 'data' in packet ? packet.data : null
  return typeof data === 'string' || Buffer.isBuffer(data) ? data.length * 2 : 0
}

/** Has what was posted read in turn, also what is left of it when the client goes on by a WebSocket. */
export function hearPolled(conn: EngineSocket, backpressure: Backpressure, waiting: WaitingFrames): void {
  const polling = pollingOf(conn)
  const receiving: object = conn
  if (polling === null || !isReceiving(receiving)) return
  const read = (packet: unknown) => receiving.onPacket(packet)
  const intake = new Intake<[packet: unknown]>({ backpressure, behind: 'polled', read, weigh: packetBytes, waiting })
  polling.onPacket = (packet) => intake.arrived(packet)

  const take = polling.onDataRequest
  let held: { readonly request: IncomingMessage; readonly response: ServerResponse } | null = null
  polling.onDataRequest = (request, response) => {
    // Another one at the same time is Engine.IO's to refuse.
    if (held !== null || !backpressure.isHeld) Reflect.apply(take, polling, [request, response])
    else held = { request, response }
  }
  backpressure.onReleased(() => {
    if (held === null || backpressure.isHeld) return
    const { request, response } = held
    held = null
    if (request.destroyed) polling.onError('the request ended too soon')
    else Reflect.apply(take, polling, [request, response])
  })
  conn.once('close', () => held?.request.destroy())
}
