// Reads WebSocket frames directly. Plain events are parsed here, which is faster than through Engine.IO and Socket.IO;
// every other frame is passed on to Engine.IO.

import type { Backpressure } from './backpressure.ts'
import type { Arrival } from './decoder.ts'
import { type EngineSocket, webSocketOf } from './engine-internals.ts'
import { Intake, type WaitingFrames } from './intake.ts'
import { readPolledPackets } from './polling-transport.ts'

interface FrameHandlers {
  /** Called with each text frame. True if the frame is handled and must not be parsed. */
  skips(frame: Buffer): boolean
  heard(arrival: Arrival): void
  /** Called before each packet that goes through Engine.IO, by any transport, and for pings and unsolicited pongs. */
  other(): void
  /** True if the pong answers a ping of this server. */
  isAsked(pong: Buffer): boolean
  /** Called when a message, ping or pong of a WebSocket is complete. */
  complete(): void
  readonly waiting: WaitingFrames
}

/** Starts reading, also after an upgrade to a WebSocket. While backpressure pauses the client, frames are queued. */
export function readFrames(conn: EngineSocket, backpressure: Backpressure, hearer: FrameHandlers): void {
  const { skips, heard, other, isAsked, complete, waiting } = hearer
  conn.on('packet', other)
  readPolledPackets(conn, backpressure, waiting)
  const attach = () => {
    const webSocket = webSocketOf(conn)
    const [engineListener, ...more] = webSocket?.listeners('message') ?? []
    if (webSocket === undefined || engineListener === undefined || more.length > 0) return
    webSocket.removeAllListeners('message')
    const read = (data: Buffer, isBinary: boolean) => {
      if (!isBinary && skips(data)) return
      const arrival = isBinary ? null : parseEventFrame(data)
      if (arrival === null || conn.readyState !== 'open') Reflect.apply(engineListener, webSocket, [data, isBinary])
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

/** True if the frame is a `send` without acknowledgement id, judged by its first bytes. */
export const isSendFrame = (frame: Buffer): boolean => SEND.equals(frame.subarray(0, SEND.length))

const [MESSAGE, EVENT, OPENS, ZERO, NINE] = [0x34, 0x32, 0x5b, 0x30, 0x39]
const ACK_ID_MAX_DIGITS = 15
const RESERVED = new Set(['connect', 'connect_error', 'disconnect', 'disconnecting', 'newListener', 'removeListener'])

/**
 * Parses `42`, an optional acknowledgement id, and an array that begins with the event name; null for anything else.
 */
export function parseEventFrame(data: Buffer): Arrival | null {
  if (data[0] !== MESSAGE || data[1] !== EVENT) return null
  let at = 2
  let ackId: number | null = null
  for (let digit = data[at]; digit !== undefined && digit >= ZERO && digit <= NINE; digit = data[++at]) {
    ackId = (ackId ?? 0) * 10 + digit - ZERO
  }
  if (data[at] !== OPENS || at > ACK_ID_MAX_DIGITS) return null
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
