// Three nodes on loopback that behave as a real cluster was observed to: a leader, followers that redirect to it or
// forward appends, elections, frozen and killed nodes, and gossip. They run in one process and share one log, because a
// quorum commits before anything is shown. Only which node answers what, and when, is simulated.

import { randomUUID } from 'node:crypto'
import { ClusterNode } from './cluster-node.ts'
import { Journal } from './journal.ts'
import type { Member } from './membership.ts'
import { settingsOf } from './settings.ts'
import { Writer } from './writer.ts'

interface ClusterOptions {
  /** Milliseconds from the death of a leader to the next one; default 1,000. Real ones took 300 to 1,900. */
  readonly electionMs?: number | (() => number)
  /** The same if the leader is frozen, which the others notice by its silence; default 6,500. */
  readonly frozenElectionMs?: number | (() => number)
  /** The same if the leader resigned; default 700. */
  readonly resignationMs?: number
  /** Milliseconds after which gossip says that a killed node is not alive; default 150. */
  readonly noticeMs?: number
  /** Milliseconds for which a new leader reports that it is not ready; default 200. Then one call fails. */
  readonly notReadyMs?: number
  /** Milliseconds after which a follower answers appends that it could not forward; default 4,800. */
  readonly forwardTimeoutMs?: number
  /** Milliseconds until a node that returns is a follower; default 500. */
  readonly catchUpMs?: number
}

const SIZE = 3
const QUORUM = 2

export interface EventStoreCluster {
  /** The URL of all nodes. */
  readonly url: string
  /** The URL of one node. */
  urlOf(index: number): string
  /** The index of the leader; null if there is none, as during an election. */
  leader(): number | null
  /** The index of a live node that is not the leader. */
  follower(): number
  /** Like kill -9: its connections are reset, its port is closed. */
  kill(index: number): Promise<void>
  start(index: number): Promise<void>
  /** Like SIGSTOP: connections stay open and nothing is answered. */
  freeze(index: number): void
  thaw(index: number): void
  /** The leader's disk takes this long for each flush from now on: it answers everything but appends. */
  slowDisk(flushMs: number): void
  /** The leader resigns in favour of another node. */
  resign(): void
  /** Resolves when there is a leader, with the `performance.now()` of its election. */
  elected(): Promise<number>
  /** Resets every connection of every node. */
  cut(): void
  /** Open connections of all nodes. */
  connections(): number
  stop(): Promise<void>
}

export async function startCluster(options: ClusterOptions = {}): Promise<EventStoreCluster> {
  const times = {
    frozenElectionMs: 6_500,
    resignationMs: 700,
    noticeMs: 150,
    notReadyMs: 200,
    forwardTimeoutMs: 4_800,
    catchUpMs: 500,
    ...options,
  }
  const { electionMs: given = 1_000 } = options
  const drawn = (ms: number | (() => number)): number => (typeof ms === 'number' ? ms : ms())
  const electionMs = (): number => drawn(given)
  const settings = settingsOf({})
  const journal = new Journal()
  const writer = new Writer(journal, null, settings.flushMs)
  const timers = new Set<NodeJS.Timeout>()
  const waiting = new Set<(at: number) => void>()
  let leader: ClusterNode | null = null
  let electedAt = 0
  /** Increases with each event that ends a running election. */
  let term = 0

  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms)
    timers.add(timer)
  }
  const nodes = Array.from(
    { length: SIZE },
    () =>
      new ClusterNode({
        id: randomUUID(),
        settings,
        journal,
        writer,
        forwardTimeoutMs: times.forwardTimeoutMs,
        members: (): readonly Member[] => nodes.map((node) => node.member()),
        leader: () => leader,
      }),
  )
  const at = (index: number): ClusterNode => {
    const node = nodes[index]
    if (node === undefined) throw new RangeError(`There is no node ${index}`)
    return node
  }
  writer.onCommit = (records) => {
    for (const node of nodes) node.committed(records)
  }

  /** Elects one of the live nodes after a delay, unless something else happens before. */
  function elect(ms: number): void {
    term += 1
    const now = term
    later(ms, () => {
      if (now !== term) return
      const able = nodes.filter((node) => node.isWell())
      const chosen = able.find((node) => node.state === 'Follower') ?? able[0]
      if (chosen === undefined || able.length < QUORUM) return
      for (const node of nodes) node.follow(chosen)
      leader = chosen
      chosen.lead(times.notReadyMs)
      electedAt = performance.now()
      for (const wake of waiting) wake(electedAt)
      waiting.clear()
    })
  }

  function left(node: ClusterNode, electionMs: number): void {
    const able = nodes.filter((one) => one.isWell())
    if (able.length < QUORUM) {
      // Without a quorum there is no leader.
      term += 1
      leader = null
      for (const one of able) one.state = 'Unknown'
    } else if (leader === node) {
      leader = null
      elect(electionMs)
    }
  }

  /** A node is live again. */
  function joined(node: ClusterNode): void {
    node.state = 'Clone'
    later(times.catchUpMs, () => {
      if (!node.isWell() || node === leader) return
      node.state = 'Follower'
      if (leader !== null) node.knownLeader = leader
      else elect(electionMs())
    })
  }

  await Promise.all(nodes.map((node) => node.start()))
  const [first] = nodes
  if (first !== undefined) {
    leader = first
    first.lead(0)
    for (const node of nodes) {
      node.knownLeader = first
      if (node !== first) node.state = 'Follower'
    }
  }

  return {
    url: `esdb://${nodes.map((node) => `127.0.0.1:${node.port}`).join(',')}?tls=false`,
    urlOf: (index) => `esdb://127.0.0.1:${at(index).port}?tls=false`,
    leader: () => (leader === null ? null : nodes.indexOf(leader)),
    follower: () => nodes.findIndex((node) => node !== leader && node.isWell()),
    kill: async (index) => {
      const node = at(index)
      await node.kill()
      later(times.noticeMs, () => node.notice())
      left(node, electionMs())
    },
    start: async (index) => {
      await at(index).start()
      joined(at(index))
    },
    freeze: (index) => {
      at(index).freeze()
      left(at(index), drawn(times.frozenElectionMs))
    },
    thaw: (index) => {
      at(index).thaw()
      joined(at(index))
    },
    slowDisk: (flushMs) => {
      writer.flushMs = flushMs
    },
    resign: () => {
      if (leader === null) return
      leader.state = 'ResigningLeader'
      leader = null
      elect(times.resignationMs)
    },
    elected: () => (leader !== null ? Promise.resolve(electedAt) : new Promise((resolve) => waiting.add(resolve))),
    cut: () => {
      for (const node of nodes) node.cut()
    },
    connections: () => nodes.reduce((sum, node) => sum + node.connections(), 0),
    stop: async () => {
      term += 1
      for (const timer of timers) clearTimeout(timer)
      for (const node of nodes) {
        node.thaw()
        await node.kill()
      }
      writer.close()
    },
  }
}
