// Raw connections for attacks: they write as fast as the server reads, read only if requested, and reconnect when cut.

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { yieldToEventLoop } from '../../../runtime/yield-to-event-loop.ts'
import type { AttackContext } from '../attack.ts'

const RECONNECT_MS = 50
const POLL_MS = 20
/** How much memory an attacker spends on one connection. */
const BUFFERED_MAX_BYTES = 1_048_576

/** Resolves when connected; null if the server refuses. */
function open({ port, address }: AttackContext, reads: boolean): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: address })
    socket.on('error', () => resolve(null))
    socket.once('close', () => resolve(null))
    socket.once('connect', () => {
      if (reads) socket.resume()
      else socket.pause()
      resolve(socket)
    })
  })
}

/** `count` connections, each driven by `drive` and opened again when it ends, until the attack is over. */
export async function connections(
  context: AttackContext,
  count: number,
  options: { readonly reads: boolean; drive(socket: Socket, n: number): Promise<void> },
): Promise<void> {
  const lane = async (n: number) => {
    while (!context.isOver()) {
      const socket = await open(context, options.reads)
      if (socket !== null) {
        await options.drive(socket, n)
        socket.destroy()
      }
      await pause(RECONNECT_MS)
    }
  }
  await Promise.all(Array.from({ length: count }, (_, n) => lane(n)))
}

/** Writes, with backpressure. False once the connection or the attack has ended. */
export async function write(context: AttackContext, socket: Socket, bytes: string | Buffer): Promise<boolean> {
  while (!socket.destroyed && !context.isOver() && socket.writableLength > BUFFERED_MAX_BYTES) await pause(POLL_MS)
  if (socket.destroyed || context.isOver()) return false
  socket.write(bytes)
  context.sent(bytes.length)
  // A connection that fails reports it in a later event-loop iteration.
  await yieldToEventLoop()
  return true
}

/** Resolves when the connection or the attack ends. */
export async function keepOpen(context: AttackContext, socket: Socket): Promise<void> {
  while (!socket.destroyed && !context.isOver()) await pause(POLL_MS)
}
