// Counts what Node parses of each connection, for the scheduler that decides which connections are read.

import type { Duplex } from 'node:stream'

export interface ParseCounter {
  /** A request came that nothing shows to be pipelined. */
  used(socket: Duplex): void
  /** Counts a pipelined request or a chunk of a body. `weight`: as how many of them it counts. */
  parsed(socket: Duplex, weight?: number): void
}

const counters = new WeakMap<Duplex, ParseCounter>()

/** From here on `countParsed` counts what comes from the socket, also once its connection has no more requests. */
export const countWith = (socket: Duplex, counter: ParseCounter): void => {
  counters.set(socket, counter)
}

/** Counts a pipelined request or a chunk of a body. `weight`: as how many of them it counts. */
export const countParsed = (socket: Duplex | null, weight?: number): void => {
  if (socket !== null) counters.get(socket)?.parsed(socket, weight)
}
