// What arrives at a WebSocket, past what Engine.IO and Socket.IO do for each packet: a plain event is read here, in its
// turn, and anything else goes the long way.

import type { Backpressure } from './backpressure.ts'
import type { Arrival } from './decoder.ts'
import { type EngineSocket, webSocketOf } from './direct.ts'
import { Intake, type WaitingFrames } from './intake.ts'
import { hearPolled } from './polled.ts'

interface Hearer {
  /** Of each text frame of a WebSocket: whether it is done with, unread. */
  skips(frame: Buffer): boolean
  heard(arrival: Arrival): void
  /**
   * Told of each packet that goes the long way, by whichever transport, before anything is done with it, and of a
   * WebSocket's own pings, and pongs that nobody asked for.
   */
  other(): void
  isAsked(pong: Buffer): boolean
  /** A message, a ping or a pong of a WebSocket has arrived to its end. */
  complete(): void
  readonly waiting: WaitingFrames
}

/**
 * Hands over each plain event in turn, now and after an upgrade; whatever else comes goes the long way. While `brake`
 * holds, nothing that came is read.
 */
export function hearDirectly(conn: EngineSocket, backpressure: Backpressure, hearer: Hearer): void {
  const { skips, heard, other, isAsked, complete, waiting } = hearer
  conn.on('packet', other)
  hearPolled(conn, backpressure, waiting)
  const attach = () => {
    const webSocket = webSocketOf(conn)
    const [long, ...more] = webSocket?.listeners('message') ?? []
    if (webSocket === undefined || long === undefined || more.length > 0) return
    webSocket.removeAllListeners('message')
    const read = (data: Buffer, isBinary: boolean) => {
      if (!isBinary && skips(data)) return
      const arrival = isBinary ? null : arrivalOf(data)
      if (arrival === null || conn.readyState !== 'open') Reflect.apply(long, webSocket, [data, isBinary])
      else heard(arrival)
    }
    const weigh = ({ length }: Buffer) => length
    const intake = new Intake<[data: Buffer, isBinary: boolean]>({
      backpressure,
      behind: 'behind',
      read,
      weigh,
      waiting,
    })
    webSocket.on('message', (data, isBinary) => {
      complete()
      intake.arrived(data, isBinary)
    })
    webSocket.on('ping', () => {
      complete()
      other()
    })
    webSocket.on('pong', (data) => {
      complete()
      if (!isAsked(data)) other()
    })
  }
  attach()
  conn.on('upgrade', attach)
}

const SEND = Buffer.from('42["send",')

/** Whether it can be seen, without reading it, that this is a `send` that asks for no acknowledgement. */
export const isSendFrame = (frame: Buffer): boolean => SEND.equals(frame.subarray(0, SEND.length))

const [MESSAGE, EVENT, OPENS, ZERO, NINE] = [0x34, 0x32, 0x5b, 0x30, 0x39]
const ACK_ID_MOST_DIGITS = 15
const RESERVED = new Set(['connect', 'connect_error', 'disconnect', 'disconnecting', 'newListener', 'removeListener'])

/** `42`, a number to acknowledge it by or none, and an array that begins with a name; null for anything else. */
export function arrivalOf(data: Buffer): Arrival | null {
  if (data[0] !== MESSAGE || data[1] !== EVENT) return null
  let at = 2
  let ackId: number | null = null
  for (let digit = data[at]; digit !== undefined && digit >= ZERO && digit <= NINE; digit = data[++at]) {
    ackId = (ackId ?? 0) * 10 + digit - ZERO
  }
  if (data[at] !== OPENS || at > ACK_ID_MOST_DIGITS) return null
  const read = jsonIn(data.toString('utf8', at))
  if (!Array.isArray(read)) return null
  const [event, ...args]: unknown[] = read
  if (typeof event !== 'string' || RESERVED.has(event)) return null
  return { event, args, ackId, isBinary: false }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
