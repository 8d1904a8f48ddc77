// A client that sends as much as it can: prepared frames, from a process of its own, so that its cost does not delay
// the other clients. The environment names the target. It reports to its parent when it begins, and at the end whether
// it was refused and when it was cut.

import type { Socket as TcpSocket } from 'node:net'
import { io } from 'socket.io-client'
import { pause } from '../until.ts'

const { FLOOD_PORT, FLOOD_TICKET, FLOOD_MAX_MS } = process.env
const BATCH_SIZE = 100
const EVERY_MS = 10
/** Sends no more than the network takes. */
const UNSENT_MAX_BYTES = 1_000_000

export interface Flooded {
  readonly refused: boolean
  /** Milliseconds from the start; null if it was not cut in time. */
  readonly cutMs: number | null
}

const socket = io(`http://127.0.0.1:${FLOOD_PORT}`, {
  query: { ticket: FLOOD_TICKET },
  transports: ['websocket'],
  reconnection: false,
})
let refused = false
let isOver = false
socket.on('refused', ({ code }) => {
  refused ||= code === 'too_fast'
})
socket.on('disconnect', () => {
  isOver = true
})
await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject))
const { room } = await socket.emitWithAck('create', { name: 'Flood' })
const began = performance.now()
process.send?.('begins')
const { transport } = socket.io.engine
if (!('ws' in transport)) throw new Error('the transport is not a WebSocket')
const { _socket: tcp } = transport.ws as unknown as { readonly _socket: TcpSocket }
const batch = Buffer.concat(
  Array.from({ length: BATCH_SIZE }, () => frameOf(`42["send",{"room":"${room.id}","data":1}]`)),
)
while (!isOver && performance.now() - began < Number(FLOOD_MAX_MS)) {
  if (tcp.writableLength < UNSENT_MAX_BYTES) tcp.write(batch)
  await pause(EVERY_MS)
}
const flooded: Flooded = { refused, cutMs: isOver ? Math.round(performance.now() - began) : null }
process.send?.(flooded)
socket.disconnect()
process.disconnect()

/** A frame with a short text, masked with zeros. */
function frameOf(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}
