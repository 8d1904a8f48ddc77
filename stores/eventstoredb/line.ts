// The connection in use. It is replaced if it is lost, if another node leads, or if neither a call on it nor a probe is
// answered any more: a transport can be dead for 20 s before keep-alive detects it. All calls share one connection
// attempt, and attempts keep a minimum distance, however many calls fail.

import { withTimeout } from '../../runtime/with-timeout.ts'
import { channelCredentials } from './channel.ts'
import { EventStoreConnection } from './event-store-connection.ts'
import { isSameHost } from './gossip.ts'
import { createLeaderWatch } from './leader-watch.ts'
import { isConnectionLost, leaderIn } from './refusals.ts'
import type { Server } from './server.ts'
import type { Host } from './url.ts'

/** Closing waits at most this long for a search for the leader. */
const SHUT_MS = 1_000
/** Minimum milliseconds between two connection attempts. */
const RECONNECT_MS = 250

/** Tells the line about its calls. */
export interface CallWatch {
  /** A call begins to wait for an answer. Call the result when it no longer waits. */
  begin(): () => void
  /** Call when an answer arrives. */
  heard(): void
  /**
   * Call when a call that began at `since` (`performance.now()`) was not answered. Replaces the connection unless a
   * later call or a probe was answered.
   */
  silent(connection: EventStoreConnection, since: number): void
}

export interface Line extends CallWatch {
  /** The connection for the next call; opened by the first call on it. Throws when closed. */
  connection(): EventStoreConnection
  /** Connects to the leader at once, unless it is connected to it. Calls on other connections end without an answer. */
  follow(leader: Host): void
  /** Whether calls on a connection ended because another node leads. */
  hasLeft(connection: EventStoreConnection): boolean
  close(): Promise<void>
}

interface LineOptions {
  /** How long calls on a replaced connection may still be answered before they are cancelled. */
  readonly graceMs: number
  /** Called for each connection that replaces another one. */
  readonly onReconnect?: () => void
  /** Called after this line found that another node leads, and follows it. */
  readonly onLeader?: (leader: Host) => void
}

export function createLine(server: Server, options: LineOptions): Line {
  const { graceMs, onReconnect = () => {}, onLeader = () => {} } = options
  const credentials = channelCredentials(server)
  const retired = new RetiredConnections(graceMs)
  const left = new WeakSet<EventStoreConnection>()
  const watch = createLeaderWatch({
    url: server.url,
    credentials,
    node: () => current?.node ?? null,
    probe,
    elsewhere: (host) => {
      follow(host)
      onLeader(host)
    },
  })
  let current: EventStoreConnection | null = null
  /** The address of the next connection, if a node named the leader. */
  let leader: Host | null = null
  let openedMs = Number.NEGATIVE_INFINITY
  /** When the connection in use last answered a probe. */
  let probedMs = Number.NEGATIVE_INFINITY
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
    if (which !== current || watch.lastHeard() > since) return
    watch.missed()
    // The transport works, and no other node leads: another connection would not be answered either.
    if (probedMs > since) return
    retire(which)
    leader = null
  }

  async function probe(ms: number): Promise<void> {
    const which = current
    if (which === null || !(await which.isAnswering(ms)) || which !== current) return
    probedMs = performance.now()
  }

  function follow(host: Host): void {
    if (closed || (current !== null && current.node !== null && isSameHost(current.node, host))) return
    const abandoned = retired.takeAll()
    leader = host
    if (current?.node === null) current.direct(host)
    else if (current !== null) {
      abandoned.push(current)
      current = null
      probedMs = Number.NEGATIVE_INFINITY
    }
    for (const one of abandoned) {
      left.add(one)
      void shut(one)
    }
  }

  function retire(which: EventStoreConnection): void {
    current = null
    probedMs = Number.NEGATIVE_INFINITY
    if (!closed) retired.add(which)
  }

  async function close(): Promise<void> {
    closed = true
    watch.stop()
    const last = current === null ? [] : [current]
    current = null
    await Promise.all([...last, ...retired.takeAll()].map(shut))
  }

  return {
    connection,
    begin: watch.begin,
    heard: watch.heard,
    silent,
    follow,
    hasLeft: (which) => left.has(which),
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
