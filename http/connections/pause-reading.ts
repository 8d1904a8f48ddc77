// Pauses an HTTP connection reliably.

import type { Socket } from 'node:net'

/**
 * Node stops reading at the event `pause` and reads again at the event `resume`, which comes a tick after the call.
 * Where a socket is resumed and paused within one tick, `pause()` emits no event, so this function emits it.
 */
export function pauseReading(socket: Socket): void {
  if (socket.readableFlowing === false) socket.emit('pause')
  socket.pause()
}
