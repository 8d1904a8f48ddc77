// What one connection says about itself to whatever decides which connections are read.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Reading {
  /** A request is here that nothing says is pipelined. */
  used(socket: Duplex): void
  /** Counts a pipelined request or a chunk of a body. `weight`: as how many of them it counts. */
  parsed(socket: Duplex, weight?: number): void
  /** Takes a place for one more waiting request; false where its address or the process has none. */
  enterWaiting(socket: Socket): boolean
  /** Gives back up to `count` places of a connection. */
  leaveWaiting(socket: Socket, count: number): void
}

const readings = new WeakMap<Duplex, Reading>()

/** From here on `countParsed` counts what comes from the socket, also once its connection has no more requests. */
export const countWith = (socket: Duplex, reading: Reading): void => {
  readings.set(socket, reading)
}

/** Counts a pipelined request or a chunk of a body. `weight`: as how many of them it counts. */
export const countParsed = (socket: Duplex | null, weight?: number): void => {
  if (socket !== null) readings.get(socket)?.parsed(socket, weight)
}
