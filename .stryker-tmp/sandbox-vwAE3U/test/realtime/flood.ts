// A client that sends as much as it can, in finished frames and as a process of its own: what it takes to send that,
// others do not wait for. Told where by its environment, it tells its parent when it begins, and at the end whether it
// was refused and after how long it was cut.

import type { Socket as TcpSocket } from 'node:net'
import { io } from 'socket.io-client'

const { FLOOD_PORT, FLOOD_TICKET, FLOOD_MOST_MS } = process.env
const AT_ONCE = 100
const EVERY_MS = 10
/** What the network does not take is not sent on top. */
const UNSENT_MOST_BYTES = 1_000_000

export interface Flooded {
  readonly refused: boolean
  /** Milliseconds from its beginning; null where it was not cut in time. */
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
if (!('ws' in transport)) throw new Error('this is no WebSocket')
const { _socket: tcp } = transport.ws as unknown as { readonly _socket: TcpSocket }
const piece = Buffer.concat(Array.from({ length: AT_ONCE }, () => frameOf(`42["send",{"room":"${room.id}","data":1}]`)))
while (!isOver && performance.now() - began < Number(FLOOD_MOST_MS)) {
  if (tcp.writableLength < UNSENT_MOST_BYTES) tcp.write(piece)
  await new Promise((later) => setTimeout(later, EVERY_MS))
}
const flooded: Flooded = { refused, cutMs: isOver ? Math.round(performance.now() - began) : null }
process.send?.(flooded)
socket.disconnect()
process.disconnect()

/** Masked with zeros, of a text that is short. */
function frameOf(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}
