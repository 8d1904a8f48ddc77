// Stops the reading of an HTTP connection.

import type { Socket } from 'node:net'

/**
 * Node stops reading at the event `pause` and reads again at the event `resume`, which comes a tick after the call. Where a
 * socket is resumed and paused in one tick, the second pause comes too early, and another one reports no event: it is paused.
 */
export function pauseReading(socket: Socket): void {
  if (socket.readableFlowing === false) socket.emit('pause')
  socket.pause()
}
