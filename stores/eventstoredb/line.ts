// The connection in use. One on which nothing is answered any more is given up for a new one: a transport can be dead
// for 20 s before the keep-alive finds it out, and a shared call can hang on a transport that is well.

import { within } from '../contract/within.ts'
import { type Connection, openConnection } from './connection.ts'

/** Where the leader of a cluster is being looked for, closing would wait for that. */
const SHUT_MS = 1_000

export interface Line {
  /** The connection for the next call; the first one is made when it is asked for. Throws when closed. */
  connection(): Connection
  /** Something was answered. */
  heard(): void
  /**
   * A call begun at a time (`performance.now()`) was not answered: gives the connection up unless one begun later was.
   */
  silent(connection: Connection, since: number): void
  close(): Promise<void>
}

/** `graceMs`: calls still going on over a connection given up may be answered for so long; then they are cancelled. */
export function createLine(url: string, graceMs: number): Line {
  const retired = new Map<Connection, NodeJS.Timeout>()
  let current: Connection | null = null
  let lastHeard = 0
  let closed = false

  function connection(): Connection {
    if (closed) throw new Error('The log is closed')
    current ??= openConnection(url)
    return current
  }

  function silent(which: Connection, since: number): void {
    if (which !== current || lastHeard > since || closed) return
    current = null
    const end = () => {
      retired.delete(which)
      void shut(which)
    }
    retired.set(which, setTimeout(end, graceMs))
  }

  async function close(): Promise<void> {
    closed = true
    const all = current === null ? [] : [current]
    current = null
    for (const [which, timer] of retired) {
      clearTimeout(timer)
      all.push(which)
    }
    retired.clear()
    await Promise.all(all.map(shut))
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

async function shut(connection: Connection): Promise<void> {
  await within(SHUT_MS, connection.shut()).catch(() => {})
}
