// Counts the requests and chunks that Node parses per connection, for the scheduler that decides which connections are
// read.

import type { Duplex } from 'node:stream'

export interface ParseCounter {
  /** Called for a request that is not known to be pipelined. */
  used(socket: Duplex): void
  /** Counts a pipelined request or a chunk of a body. `weight`: how many of them it counts as. */
  parsed(socket: Duplex, weight?: number): void
}

const counters = new WeakMap<Duplex, ParseCounter>()

/** Makes `countParsed` report this socket to the counter, also after its last request. */
export const countWith = (socket: Duplex, counter: ParseCounter): void => {
  counters.set(socket, counter)
}

/** Counts a pipelined request or a chunk of a body. `weight`: how many of them it counts as. */
export const countParsed = (socket: Duplex | null, weight?: number): void => {
  if (socket !== null) counters.get(socket)?.parsed(socket, weight)
}
