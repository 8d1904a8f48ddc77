// A connection before it has said which namespace it wants, and a WebSocket that is not yet a connection's: neither is
// counted by its rate, so what it may send in all is bounded here. For as long as a WebSocket is open, this also counts
// what has arrived of a frame that is incomplete.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type EngineSocket, tcpOf } from './direct.ts'
import { EARLY_MOST_BYTES, EARLY_PACKETS_MOST, EARLY_WITHIN_MS } from './limits.ts'
import type { DropReason } from './metrics.ts'
import type { Account, Received } from './received.ts'

export interface EarlyDeps {
  readonly received: Received
  networkOf(request: IncomingMessage): string
  dropped(reason: DropReason): void
}

export interface Early {
  /** A request for an upgrade arrived: its socket is watched until it closes. */
  upgrading(request: IncomingMessage, socket: Duplex): void
  /** A connection was made: it may send a few packets. */
  entered(conn: EngineSocket): void
  /** The connection joined the namespace: its rate counts from here on. */
  joined(conn: EngineSocket): void
  /** A message, a ping or a pong of this connection's WebSocket was read to its end. */
  read(conn: EngineSocket): void
}

/** What has arrived at one socket since something was read of it. */
interface Arriving {
  readonly account: Account
  isEarly: boolean
  bytes: number
}

export function createEarly({ received, networkOf, dropped }: EarlyDeps): Early {
  const arriving = new WeakMap<object, Arriving>()
  const packets = new EarlyPackets(() => dropped('early'))
  const arrivingAt = (conn: EngineSocket): Arriving | undefined => {
    const tcp = tcpOf(conn)
    return tcp === null ? undefined : arriving.get(tcp)
  }
  const settle = (conn: EngineSocket) => {
    const one = arrivingAt(conn)
    if (one !== undefined) one.isEarly = false
  }
  return {
    upgrading: (request, socket) => {
      const one: Arriving = { account: received.account(networkOf(request)), isEarly: true, bytes: 0 }
      arriving.set(socket, one)
      watchUpgrade(socket, one, dropped)
    },
    entered: (conn) => packets.count(conn),
    joined: (conn) => {
      packets.end(conn)
      settle(conn)
      conn.on('upgrade', () => settle(conn))
    },
    read: (conn) => {
      const one = arrivingAt(conn)
      if (one === undefined || one.isEarly) return
      one.account.subtract(one.bytes)
      one.bytes = 0
    },
  }
}

/** Counts what arrives at the socket, and drops the socket where that is too much or its WebSocket comes too late. */
function watchUpgrade(socket: Duplex, one: Arriving, dropped: (reason: DropReason) => void): void {
  // Until `ws` takes it over, nobody else listens: a reset would end the process.
  socket.on('error', () => {})
  const drop = (reason: DropReason) => {
    dropped(reason)
    socket.destroy()
  }
  const late = setTimeout(() => {
    if (one.isEarly) drop('early')
  }, EARLY_WITHIN_MS).unref()
  socket.once('close', () => {
    clearTimeout(late)
    one.account.close()
  })
  // Added once `ws` reads the socket: a listener of `data` before that would take what is meant for it.
  socket.once('resume', () => {
    socket.prependListener('data', (chunk: Buffer) => {
      if (socket.destroyed) return
      one.bytes += chunk.length
      if (one.isEarly && one.bytes > EARLY_MOST_BYTES) drop('early')
      else if (!one.account.add(chunk.length)) drop('received')
    })
  })
}

/** Packets of connections that have not joined yet. One that sends too many is closed. */
class EarlyPackets {
  readonly #dropped: () => void
  readonly #counted = new WeakMap<EngineSocket, () => void>()

  constructor(dropped: () => void) {
    this.#dropped = dropped
  }

  count(conn: EngineSocket): void {
    let packets = 0
    const count = () => {
      if (++packets <= EARLY_PACKETS_MOST) return
      this.#dropped()
      conn.close(true)
    }
    conn.on('packet', count)
    this.#counted.set(conn, () => conn.off('packet', count))
  }

  end(conn: EngineSocket): void {
    this.#counted.get(conn)?.()
    this.#counted.delete(conn)
  }
}
