// The short way to and from a WebSocket, past what Engine.IO and Socket.IO do for each packet. All that is used of them
// beyond what they declare is here and in hearing.ts (docs/decisions/0027-rooms-written-directly.md): where one of
// these is not there any more, the long way is taken, and test/realtime/direct.test.ts fails.

import type { Socket as TcpSocket } from 'node:net'
import type { Socket } from 'socket.io'

export type EngineSocket = Socket['conn']

/** As much of `ws` as is used. */
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

/** What Engine.IO's WebSocket transport has beside what it declares. */
type WebSocketTransport = EngineSocket['transport'] & { readonly socket?: WebSocketLike }

export function webSocketOf({ transport }: EngineSocket): WebSocketLike | undefined {
  return transport.name === 'websocket' ? (transport as WebSocketTransport).socket : undefined
}

export const tcpOf = (conn: EngineSocket): TcpSocket | null => webSocketOf(conn)?._socket ?? null

/** How many packets Engine.IO has yet to hand to its transport. */
export function engineQueue(conn: EngineSocket): number {
  // biome-ignore lint/complexity/useLiteralKeys: it is declared private, though Engine.IO's own events hand it out.
  return conn['writeBuffer'].length
}
