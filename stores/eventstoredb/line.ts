// The connection in use. It is replaced if it is lost or if no call on it is answered any more: a transport can be
// dead for 20 s before keep-alive detects it, and a shared call can hang on a transport that works. All calls share
// one connection attempt, and attempts keep a minimum distance, however many calls fail.

import { withTimeout } from '../../runtime/with-timeout.ts'
import { channelCredentials } from './channel.ts'
import { EventStoreConnection } from './event-store-connection.ts'
import { isConnectionLost, leaderIn } from './refusals.ts'
import type { Server } from './server.ts'
import type { Host } from './url.ts'

/** Closing waits at most this long for a search for the leader. */
const SHUT_MS = 1_000
/** Minimum milliseconds between two connection attempts. */
const RECONNECT_MS = 250

export interface Line {
  /** The connection for the next call; opened by the first call on it. Throws when closed. */
  connection(): EventStoreConnection
  /** Call when an answer arrives. */
  heard(): void
  /**
   * Call when a call that began at `since` (`performance.now()`) was not answered. Replaces the connection unless a
   * later call was answered.
   */
  silent(connection: EventStoreConnection, since: number): void
  close(): Promise<void>
}

/**
 * `graceMs`: how long calls on a replaced connection may still be answered before they are cancelled.
 * `onReconnect` is called for each connection that replaces another one.
 */
export function createLine(server: Server, graceMs: number, onReconnect: () => void = () => {}): Line {
  const credentials = channelCredentials(server)
  const retired = new RetiredConnections(graceMs)
  let current: EventStoreConnection | null = null
  /** The address of the next connection, if a follower named the leader. */
  let leader: Host | null = null
  let openedMs = Number.NEGATIVE_INFINITY
  let lastHeard = 0
  let closed = false

  function connection(): EventStoreConnection {
    if (closed) throw new Error('The log is closed')
    current ??= open()
    return current
  }

  function open(): EventStoreConnection {
    const now = performance.now()
    if (openedMs !== Number.NEGATIVE_INFINITY) onReconnect()
    const afterMs = Math.max(0, Math.ceil(openedMs + RECONNECT_MS - now))
    openedMs = now + afterMs
    return new EventStoreConnection(server, { credentials, node: leader, afterMs, onFailure: failed })
  }

  function failed(which: EventStoreConnection, error: unknown): void {
    if (which !== current) return
    const named = leaderIn(error)
    if (named === null && !isConnectionLost(error)) return
    retire(which)
    leader = named
  }

  function silent(which: EventStoreConnection, since: number): void {
    if (which !== current || lastHeard > since) return
    retire(which)
    leader = null
  }

  function retire(which: EventStoreConnection): void {
    current = null
    if (!closed) retired.add(which)
  }

  async function close(): Promise<void> {
    closed = true
    const last = current === null ? [] : [current]
    current = null
    await Promise.all([...last, ...retired.takeAll()].map(shut))
  }

  return {
    connection,
    heard: () => {
      lastHeard = performance.now()
    },
    silent,
    close,
  }
}

/** Replaced connections, which are closed after `graceMs`. */
class RetiredConnections {
  readonly #graceMs: number
  readonly #timers = new Map<EventStoreConnection, NodeJS.Timeout>()

  constructor(graceMs: number) {
    this.#graceMs = graceMs
  }

  add(connection: EventStoreConnection): void {
    const end = () => {
      this.#timers.delete(connection)
      void shut(connection)
    }
    this.#timers.set(connection, setTimeout(end, this.#graceMs))
  }

  /** Stops their timers; the caller closes them. */
  takeAll(): EventStoreConnection[] {
    const all = [...this.#timers.keys()]
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    return all
  }
}

async function shut(connection: EventStoreConnection): Promise<void> {
  await withTimeout(SHUT_MS, connection.shut()).catch(() => {})
}
