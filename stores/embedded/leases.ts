// Leases for a single process: its first heartbeat takes all partitions. The rules are the same as for many nodes.

import { PARTITIONS } from '../../domain/partition.ts'
import { type HeartbeatAnswer, LEASE_MS, type Leases, type Node } from '../contract/leases.ts'

interface Live {
  readonly node: Node
  /** In ascending order. */
  readonly owned: readonly number[]
  readonly untilMs: number
}

/** `now`: monotonic milliseconds. */
export function createLeases(now: () => number = () => performance.now(), leaseMs: number = LEASE_MS): Leases {
  const nodes = new Map<string, Live>()

  async function heartbeat(node: Node): Promise<HeartbeatAnswer> {
    const nowMs = now()
    for (const [id, { untilMs }] of nodes) if (untilMs <= nowMs) nodes.delete(id)
    nodes.set(node.id, { node, owned: ownedNext(node, [...nodes.values()]), untilMs: nowMs + leaseMs })
    const used = new Set([...nodes.values()].flatMap((live) => live.node.uses))
    return { owned: nodes.get(node.id)?.owned ?? [], used: [...used].sort() }
  }

  return {
    heartbeat,
    leave: async (id) => {
      nodes.delete(id)
    },
  }
}

/** The partitions of a node after its heartbeat, given the nodes that were live before. */
function ownedNext({ id, group }: Node, live: readonly Live[]): readonly number[] {
  if (group === null) return []
  const ofGroup = live.filter(({ node }) => node.group === group)
  const before = ofGroup.find(({ node }) => node.id === id)?.owned ?? []
  const others = ofGroup.filter(({ node }) => node.id !== id).map(({ owned }) => owned)
  const share = fairShare(others.map(({ length }) => length))
  const owned = before.slice(0, share)
  const taken = new Set([before, ...others].flat())
  for (let partition = 0; partition < PARTITIONS && owned.length < share; partition++) {
    if (!taken.has(partition)) owned.push(partition)
  }
  return owned.sort((a, b) => a - b)
}

/**
 * The fair share of a node, given the partition counts of the others. Rounded up only while fewer others than the
 * remainder have the larger share; otherwise one node would keep a partition that another one lacks.
 */
function fairShare(others: readonly number[]): number {
  const nodes = others.length + 1
  const least = Math.floor(PARTITIONS / nodes)
  const withMore = others.filter((count) => count > least).length
  return withMore < PARTITIONS % nodes ? least + 1 : least
}
