// Makes closing a connection with many pipelined requests cheap.

import type { Socket } from 'node:net'

/**
 * Leaves out the stack traces of the errors with which Node ends the requests of a connection that closes: with 1,500
 * of them pipelined, capturing the traces takes four times as long as parsing the requests. Call it after Node has
 * added its own listeners. Returns a function that undoes it.
 */
export function abortCheaply(socket: Socket): () => void {
  let usual = Error.stackTraceLimit
  const before = () => {
    usual = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  }
  const after = () => {
    Error.stackTraceLimit = usual
  }
  socket.prependOnceListener('close', before)
  socket.once('close', after)
  return () => {
    socket.off('close', before)
    socket.off('close', after)
  }
}
