// Leases for a single process: its first heartbeat takes all partitions. The rules are the same as for many nodes.

import { PARTITIONS } from '../../domain/partition.ts'
import { type HeartbeatAnswer, LEASE_MS, type Leases, type Node } from '../contract/leases.ts'

interface Live {
  readonly node: Node
  /** In ascending order. */
  readonly held: readonly number[]
  readonly untilMs: number
}

/** `now` gives milliseconds that never run backwards. */
export function createLeases(now: () => number = () => performance.now(), leaseMs: number = LEASE_MS): Leases {
  const nodes = new Map<string, Live>()

  async function heartbeat(node: Node): Promise<HeartbeatAnswer> {
    const nowMs = now()
    for (const [id, { untilMs }] of nodes) if (untilMs <= nowMs) nodes.delete(id)
    nodes.set(node.id, { node, held: heldNext(node, [...nodes.values()]), untilMs: nowMs + leaseMs })
    const used = new Set([...nodes.values()].flatMap((live) => live.node.uses))
    return { held: nodes.get(node.id)?.held ?? [], used: [...used].sort() }
  }

  return {
    heartbeat,
    leave: async (id) => {
      nodes.delete(id)
    },
  }
}

/** What a node holds after its beat, given who was live before it. */
function heldNext({ id, group }: Node, live: readonly Live[]): readonly number[] {
  if (group === null) return []
  const ofGroup = live.filter(({ node }) => node.group === group)
  const before = ofGroup.find(({ node }) => node.id === id)?.held ?? []
  const others = ofGroup.filter(({ node }) => node.id !== id).map(({ held }) => held)
  const share = fairShare(others.map(({ length }) => length))
  const held = before.slice(0, share)
  const taken = new Set([before, ...others].flat())
  for (let partition = 0; partition < PARTITIONS && held.length < share; partition++) {
    if (!taken.has(partition)) held.push(partition)
  }
  return held.sort((a, b) => a - b)
}

/**
 * How many partitions a node may hold beside others that hold as many as these. Rounded up only while fewer of the others
 * than the remainder have more than the rest: else one would keep what another lacks.
 */
function fairShare(others: readonly number[]): number {
  const nodes = others.length + 1
  const least = Math.floor(PARTITIONS / nodes)
  const withMore = others.filter((count) => count > least).length
  return withMore < PARTITIONS % nodes ? least + 1 : least
}
