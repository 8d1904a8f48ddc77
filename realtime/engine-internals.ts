// Access to internals of Engine.IO and `ws`, to read and write WebSocket frames directly. Every use of an undeclared
// member is here, in frame-reader.ts or in polling-transport.ts (docs/decisions/rooms.md). If a
// member disappears, the normal path through Engine.IO is used and test/realtime/direct.test.ts fails.

import type { Socket as TcpSocket } from 'node:net'
import type { Socket } from 'socket.io'

export type EngineSocket = Socket['conn']

interface WebSocketLike {
  readonly readyState: number
  readonly _socket?: TcpSocket | null
  pause?(): void
  resume?(): void
  listeners(event: 'message'): ((...args: never) => unknown)[]
  removeAllListeners(event: 'message'): unknown
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown
  on(event: 'ping' | 'pong', listener: (data: Buffer) => void): unknown
}

/** Engine.IO's WebSocket transport with an undeclared member. */
type WebSocketTransport = EngineSocket['transport'] & { readonly socket?: WebSocketLike }

export function webSocketOf({ transport }: EngineSocket): WebSocketLike | undefined {
  return transport.name === 'websocket' ? (transport as WebSocketTransport).socket : undefined
}

export const tcpOf = (conn: EngineSocket): TcpSocket | null => webSocketOf(conn)?._socket ?? null

/** Sends a ping of Engine.IO, which every client answers by itself with a pong: the event `heartbeat`. */
export function sendPing(conn: EngineSocket): void {
  // biome-ignore lint/complexity/useLiteralKeys: it is declared private, but a server has no other ping for both transports.
  conn['sendPacket']('ping')
}

/** Number of packets that Engine.IO has not passed to its transport yet. */
export function engineQueue(conn: EngineSocket): number {
  // biome-ignore lint/complexity/useLiteralKeys: it is declared private, but Engine.IO's own events pass it to listeners.
  return conn['writeBuffer'].length
}
