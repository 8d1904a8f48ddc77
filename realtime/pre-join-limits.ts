// Limits on what a client may send before it joins the namespace, and on a WebSocket before it belongs to a connection.
// Rates do not apply yet, so the totals are limited. While a WebSocket is open, the bytes of an incomplete frame are
// also counted here.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type EngineSocket, tcpOf } from './engine-internals.ts'
import { EARLY_MAX_BYTES, EARLY_PACKETS_MAX, EARLY_WITHIN_MS } from './limits.ts'
import type { DropReason } from './metrics.ts'
import type { Account, UnreadBytes } from './unread-bytes.ts'

export interface PreJoinDeps {
  readonly unread: UnreadBytes
  networkOf(request: IncomingMessage): string
  dropped(reason: DropReason): void
}

export interface PreJoinLimits {
  /** Call for each upgrade request: watches the socket until it closes. */
  upgrading(request: IncomingMessage, socket: Duplex): void
  /** Call when Engine.IO opens a connection: limits its packets until it joins. */
  entered(conn: EngineSocket): void
  /** Call when the connection joins the namespace: from here on its rates apply instead. */
  joined(conn: EngineSocket): void
  /** Call when a message, ping or pong of the connection's WebSocket is complete. */
  read(conn: EngineSocket): void
}

interface Arriving {
  readonly account: Account
  isEarly: boolean
  bytes: number
}

export function createPreJoinLimits({ unread, networkOf, dropped }: PreJoinDeps): PreJoinLimits {
  const arriving = new WeakMap<object, Arriving>()
  const packets = new PreJoinPackets(() => dropped('early'))
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
      const one: Arriving = { account: unread.account(networkOf(request)), isEarly: true, bytes: 0 }
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

/** Counts received bytes, and destroys the socket if they exceed a limit or no connection joins in time. */
function watchUpgrade(socket: Duplex, one: Arriving, dropped: (reason: DropReason) => void): void {
  // Until `ws` takes the socket over, it has no other error listener, and a reset would end the process.
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
  // Added when `ws` starts to read: an earlier `data` listener would consume bytes meant for `ws`.
  socket.once('resume', () => {
    socket.prependListener('data', (chunk: Buffer) => {
      if (socket.destroyed) return
      one.bytes += chunk.length
      if (one.isEarly && one.bytes > EARLY_MAX_BYTES) drop('early')
      else if (!one.account.add(chunk.length)) drop('received')
    })
  })
}

/** Counts packets of connections that have not joined yet, and closes those that send too many. */
class PreJoinPackets {
  readonly #dropped: () => void
  readonly #counted = new WeakMap<EngineSocket, () => void>()

  constructor(dropped: () => void) {
    this.#dropped = dropped
  }

  count(conn: EngineSocket): void {
    let packets = 0
    const count = () => {
      if (++packets <= EARLY_PACKETS_MAX) return
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
