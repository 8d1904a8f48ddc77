// Checks the invariants of leases after every heartbeat. A store's clock advances during a call, so each heartbeat is
// known only to be between two clock readings: lower bounds are checked against nodes that are certainly live, upper
// bounds against those that may be. If the clock only moves between steps, the check is exact.

import { expect } from 'chai'
import { PARTITIONS } from '../../domain/partition.ts'
import type { HeartbeatAnswer, Leases, Node } from '../../stores/contract/leases.ts'

export interface LeasesWorld {
  readonly leases: Leases
  readonly leaseMs: number
  /** Milliseconds by the store's clock. */
  now(): Promise<number>
  /** Resolves when the store's clock has advanced at least this much. */
  pass(ms: number): Promise<void>
}

/** Opens a new, empty store whose leases have this duration. */
export type OpenLeases = (leaseMs: number) => Promise<LeasesWorld>

export const EVERY = Array.from({ length: PARTITIONS }, (_, n) => n)

interface Seen {
  readonly node: Node
  readonly heartbeat: HeartbeatAnswer
  /** Its last heartbeat was between these times. */
  readonly fromMs: number
  readonly toMs: number
}

/** Sends heartbeats of nodes one after another, and checks each answer against the invariants. */
export class Watched {
  private readonly world: LeasesWorld
  private readonly seen = new Map<string, Seen>()

  constructor(world: LeasesWorld) {
    this.world = world
  }

  async heartbeat(node: Node): Promise<readonly number[]> {
    const fromMs = await this.world.now()
    const heartbeat = await this.world.leases.heartbeat(node)
    const toMs = await this.world.now()
    const sure = this.those(({ fromMs: startedMs }) => toMs < startedMs + this.world.leaseMs)
    const possible = this.those(({ toMs: ended }) => fromMs < ended + this.world.leaseMs)
    checkUsed(node, heartbeat, sure, possible)
    checkHeld(node, heartbeat, sure, possible)
    this.seen.set(node.id, { node, heartbeat, fromMs, toMs })
    return heartbeat.owned
  }

  async leave(id: string): Promise<void> {
    await this.world.leases.leave(id)
    this.seen.delete(id)
  }

  private those(isSo: (seen: Seen) => boolean): readonly Seen[] {
    return [...this.seen.values()].filter(isSo)
  }
}

function checkUsed(node: Node, { used }: HeartbeatAnswer, sure: readonly Seen[], possible: readonly Seen[]): void {
  const usesOf = (seen: readonly Seen[]) => [...seen, { node }].flatMap((one) => one.node.uses)
  const others = (seen: readonly Seen[]) => seen.filter((one) => one.node.id !== node.id)
  expect(used, 'used, in order, each once').to.deep.equal([...new Set(used)].sort())
  expect(used, 'used by the live').to.include.members(usesOf(others(sure)))
  expect(usesOf(others(possible)), 'used by none that is gone').to.include.members([...used])
}

function checkHeld(node: Node, { owned }: HeartbeatAnswer, sure: readonly Seen[], possible: readonly Seen[]): void {
  if (node.group === null) {
    expect(owned).to.deep.equal([])
    return
  }
  expect(owned, 'held, in order, each once').to.deep.equal(EVERY.filter((one) => owned.includes(one)))
  const ofGroup = (seen: readonly Seen[]) =>
    seen.filter((one) => one.node.group === node.group && one.node.id !== node.id)
  const [surely, possibly] = [ofGroup(sure), ofGroup(possible)]
  const ownedBy = (seen: readonly Seen[]) => seen.flatMap((one) => [...one.heartbeat.owned])
  expect(
    ownedBy(surely).filter((one) => owned.includes(one)),
    'held by two',
  ).to.deep.equal([])
  expect(owned.length, 'no more than a share').to.be.at.most(Math.ceil(PARTITIONS / (surely.length + 1)))
  if (owned.length < Math.floor(PARTITIONS / (possibly.length + 1))) {
    expect([...owned, ...ownedBy(possibly)], 'none left free').to.include.members(EVERY)
  }
  const own = sure.find((one) => one.node.id === node.id && one.node.group === node.group)?.heartbeat.owned
  if (own === undefined) return
  const [kept, gained] = [own.filter((one) => owned.includes(one)), owned.filter((one) => !own.includes(one))]
  expect(kept.length === own.length || gained.length === 0, 'given back and taken in one beat').to.equal(true)
}

/** The owner of each partition; throws if one has two. */
export function holders(owned: ReadonlyMap<string, readonly number[]>): Map<number, string> {
  const found = new Map<number, string>()
  for (const [id, partitions] of owned) {
    for (const partition of partitions) {
      expect(found.has(partition), `partition ${partition} held by two`).to.equal(false)
      found.set(partition, id)
    }
  }
  return found
}

/** The settled number of partitions of each node, in descending order. */
export function sharesOf(nodes: number): number[] {
  return Array.from({ length: nodes }, (_, n) => Math.floor((PARTITIONS + nodes - 1 - n) / nodes))
}

/** The minimum number of partitions that must move from the present shares to those of this number of nodes. */
export function fewestMoves(counts: readonly number[], nodes: number): number {
  const shares = sharesOf(nodes)
  const sorted = [...counts].sort((a, b) => b - a)
  return sorted.reduce((sum, count, n) => sum + Math.max(0, count - (shares[n] ?? 0)), 0)
}
