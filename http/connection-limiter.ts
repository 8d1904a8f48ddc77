// Bounds the connections of each network address and of the process. The newest connection over a limit is closed at
// once, before anything of it is read.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { peerNetwork, type Trusted } from '../runtime/network.ts'
import { Budget, type BudgetLimits, type Exceeded } from './connections/budget.ts'

export interface ConnectionLimiterOptions extends BudgetLimits {
  /** Connections from these proxies are not counted. */
  readonly trusted: Trusted
  /** Called for each connection that is closed. */
  refused(limit: Exceeded): void
}

export interface ConnectionLimiter {
  /** Connections that are counted now. */
  readonly open: number
}

export function limitConnections(server: Server, options: ConnectionLimiterOptions): ConnectionLimiter {
  const { trusted, refused } = options
  const budget = new Budget(options)
  // Node emits 'connection' again when the parser is replaced (pipeline/upgrades.ts).
  const counted = new WeakSet<Socket>()
  server.on('connection', (socket: Socket) => {
    if (counted.has(socket)) return
    const network = peerNetwork(socket, trusted)
    if (network === null) return
    const taken = budget.take(network)
    if (typeof taken === 'string') {
      socket.destroy()
      refused(taken)
      return
    }
    counted.add(socket)
    socket.once('close', taken)
  })
  return {
    get open() {
      return budget.inUse
    },
  }
}
