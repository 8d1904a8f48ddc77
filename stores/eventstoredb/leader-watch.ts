// Notices a leader that is frozen or cut off, long before its calls time out: while calls are unanswered and nothing
// arrives, the other nodes are asked who leads, again and again. A leader with a slow disk is silent too, but the other
// nodes name no other one.

import { setTimeout as pause } from 'node:timers/promises'
import type { ChannelCredentials } from '@grpc/grpc-js'
import { gossipTimeout, isSameHost, namedPeers, openPeer, type Peer } from './gossip.ts'
import type { Host, ServerUrl } from './url.ts'

/** Milliseconds of silence before the other nodes are asked. */
const SILENT_MS = 1_000
/** Milliseconds between two requests to one node: a new leader is known this soon after its election. */
const ASK_AGAIN_MS = 100
/** After a call was given up, the search continues for this long without another one. Elections took up to 7.2 s. */
const SEARCH_ON_MS = 15_000

/** What it watches: the connection in use, which may be another one each time. */
interface Watched {
  readonly url: ServerUrl
  readonly credentials: ChannelCredentials
  /** The node in use; null while there is no connection, or discovery still chooses its node. */
  node(): Host | null
  /**
   * Asks the node in use, on its own connection; called repeatedly during silence, and awaited before the next time.
   */
  probe(ms: number): Promise<void>
  /** Another node leads. */
  elsewhere(leader: Host): void
}

export interface LeaderWatch {
  /** A call begins to wait for an answer. Call the result when it no longer waits. */
  begin(): () => void
  /** An answer arrived. */
  heard(): void
  /** `performance.now()` of the last answer. */
  lastHeard(): number
  /** A call was given up without an answer. */
  missed(): void
  stop(): void
}

export function createLeaderWatch(watched: Watched): LeaderWatch {
  const answerMs = gossipTimeout(watched.url) * 1_000
  let waiting = 0
  /** Since when calls wait without a break. */
  let waitingMs = 0
  let heardMs = 0
  let missedMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  const isWaiting = (): boolean => waiting > 0 || performance.now() - missedMs < SEARCH_ON_MS
  const silentMs = (): number => performance.now() - Math.max(heardMs, waitingMs)
  const isSilent = (): boolean => !isStopped && isWaiting() && silentMs() >= SILENT_MS

  function plan(): void {
    if (isStopped || timer !== null || !isWaiting()) return
    timer = setTimeout(() => void check(), Math.max(0, SILENT_MS - silentMs()))
    timer.unref()
  }

  async function check(): Promise<void> {
    // Answers that arrived while this process was busy are read first.
    await new Promise((read) => setImmediate(read))
    if (isSilent()) await search().catch(() => pause(ASK_AGAIN_MS))
    timer = null
    plan()
  }

  /** Asks every node until something is heard. Rejects if the nodes cannot be found. */
  async function search(): Promise<void> {
    const peers = await namedPeers(watched.url)
    await Promise.all([probe(), ...peers.map(ask)])
  }

  async function probe(): Promise<void> {
    for (; isSilent(); await pause(ASK_AGAIN_MS)) await watched.probe(answerMs)
  }

  async function ask(peer: Peer): Promise<void> {
    const connection = openPeer(peer, watched.credentials)
    try {
      for (; isSilent(); await pause(ASK_AGAIN_MS)) {
        const node = watched.node()
        if (node !== null && isSameHost(node, peer.host)) continue
        const leaders = await connection.leaders(answerMs).catch(() => [])
        if (isSilent()) compare(leaders)
      }
    } finally {
      connection.close()
    }
  }

  /** A node that also names ours has not noticed yet which of the two leads. */
  function compare([leader, ...others]: readonly Host[]): void {
    const node = watched.node()
    if (leader === undefined || (node !== null && [leader, ...others].some((one) => isSameHost(one, node)))) return
    watched.elsewhere(leader)
  }

  return {
    begin: () => {
      if (waiting === 0) waitingMs = performance.now()
      waiting += 1
      plan()
      let isOver = false
      return () => {
        if (!isOver) waiting -= 1
        isOver = true
      }
    },
    heard: () => {
      heardMs = performance.now()
      missedMs = Number.NEGATIVE_INFINITY
    },
    lastHeard: () => heardMs,
    missed: () => {
      missedMs = performance.now()
      plan()
    },
    stop: () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
