// What a client posts where it polls: one request brings as many packets as there is room for. They are read in turn
// like a WebSocket's frames, and its next request is not, while it is held.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Brake } from './brake.ts'
import type { EngineSocket } from './direct.ts'
import { Intake } from './intake.ts'
import { POSTED_MOST } from './limits.ts'

/** What Engine.IO's polling transport and its connection have beside what they declare to others. */
interface Polling {
  onData(data: string): void
  onPacket(packet: unknown): void
  onError(why: string): void
  onDataRequest(request: IncomingMessage, response: ServerResponse): void
}
interface Receiving {
  onPacket(packet: unknown): void
}

const SEPARATOR = '\x1e'

const has = (one: object, ...methods: readonly string[]): boolean =>
  methods.every((name) => typeof Reflect.get(one, name) === 'function')

const isPolling = (transport: object): transport is Polling =>
  has(transport, 'onData', 'onPacket', 'onError', 'onDataRequest')

const isReceiving = (conn: object): conn is Receiving => has(conn, 'onPacket')

/** Null where it polls not, or not as is known here: then what is posted goes the long way. */
function pollingOf({ transport }: EngineSocket): Polling | null {
  const one: object = transport
  return transport.name === 'polling' && isPolling(one) ? one : null
}

/** Ends a connection of which one request brings more packets than a flooder may send before it is cut. */
export function boundPosts(conn: EngineSocket): void {
  const polling = pollingOf(conn)
  if (polling === null) return
  const read = polling.onData
  polling.onData = (data) => {
    if (isTooMany(data)) polling.onError('too many packets')
    else Reflect.apply(read, polling, [data])
  }
}

function isTooMany(data: string): boolean {
  let packets = 1
  for (let at = data.indexOf(SEPARATOR); at >= 0; at = data.indexOf(SEPARATOR, at + 1)) {
    if (++packets > POSTED_MOST) return true
  }
  return false
}

/** Has what was posted read in turn, also what is left of it when the client goes on by a WebSocket. */
export function hearPolled(conn: EngineSocket, brake: Brake): void {
  const polling = pollingOf(conn)
  const receiving: object = conn
  if (polling === null || !isReceiving(receiving)) return
  const intake = new Intake<[packet: unknown]>(brake, 'polled', (packet) => receiving.onPacket(packet))
  polling.onPacket = (packet) => intake.arrived(packet)

  const take = polling.onDataRequest
  let held: { readonly request: IncomingMessage; readonly response: ServerResponse } | null = null
  polling.onDataRequest = (request, response) => {
    // Another one at the same time is Engine.IO's to refuse.
    if (held !== null || !brake.isHeld) Reflect.apply(take, polling, [request, response])
    else held = { request, response }
  }
  brake.onReleased(() => {
    if (held === null || brake.isHeld) return
    const { request, response } = held
    held = null
    if (request.destroyed) polling.onError('the request ended too soon')
    else Reflect.apply(take, polling, [request, response])
  })
  conn.once('close', () => held?.request.destroy())
}
