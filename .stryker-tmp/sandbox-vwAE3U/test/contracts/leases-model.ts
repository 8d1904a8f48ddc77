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
  /** Settles once the store's clock is at least as much further. */
  pass(ms: number): Promise<void>
}

/** Opens a fresh, empty store whose leases last so long. */
export type OpenLeases = (leaseMs: number) => Promise<LeasesWorld>

export const EVERY = Array.from({ length: PARTITIONS }, (_, n) => n)

interface Seen {
  readonly node: Node
  readonly heartbeat: HeartbeatAnswer
  /** Its last beat was between these. */
  readonly fromMs: number
  readonly toMs: number
}

/** Nodes beating one after the other; each answer is held against the rules. */
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
    const sure = this.those(({ fromMs: begun }) => toMs < begun + this.world.leaseMs)
    const possible = this.those(({ toMs: ended }) => fromMs < ended + this.world.leaseMs)
    checkUsed(node, heartbeat, sure, possible)
    checkHeld(node, heartbeat, sure, possible)
    this.seen.set(node.id, { node, heartbeat, fromMs, toMs })
    return heartbeat.held
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

function checkHeld(node: Node, { held }: HeartbeatAnswer, sure: readonly Seen[], possible: readonly Seen[]): void {
  if (node.group === null) {
    expect(held).to.deep.equal([])
    return
  }
  expect(held, 'held, in order, each once').to.deep.equal(EVERY.filter((one) => held.includes(one)))
  const ofGroup = (seen: readonly Seen[]) =>
    seen.filter((one) => one.node.group === node.group && one.node.id !== node.id)
  const [surely, possibly] = [ofGroup(sure), ofGroup(possible)]
  const heldBy = (seen: readonly Seen[]) => seen.flatMap((one) => [...one.heartbeat.held])
  expect(
    heldBy(surely).filter((one) => held.includes(one)),
    'held by two',
  ).to.deep.equal([])
  expect(held.length, 'no more than a share').to.be.at.most(Math.ceil(PARTITIONS / (surely.length + 1)))
  if (held.length < Math.floor(PARTITIONS / (possibly.length + 1))) {
    expect([...held, ...heldBy(possibly)], 'none left free').to.include.members(EVERY)
  }
  const own = sure.find((one) => one.node.id === node.id && one.node.group === node.group)?.heartbeat.held
  if (own === undefined) return
  const [kept, gained] = [own.filter((one) => held.includes(one)), held.filter((one) => !own.includes(one))]
  expect(kept.length === own.length || gained.length === 0, 'given back and taken in one beat').to.equal(true)
}

/** Who holds each partition; throws where two do. */
export function holders(held: ReadonlyMap<string, readonly number[]>): Map<number, string> {
  const found = new Map<number, string>()
  for (const [id, partitions] of held) {
    for (const partition of partitions) {
      expect(found.has(partition), `partition ${partition} held by two`).to.equal(false)
      found.set(partition, id)
    }
  }
  return found
}

/** How many each of so many nodes holds when all is settled, the most first. */
export function sharesOf(nodes: number): number[] {
  return Array.from({ length: nodes }, (_, n) => Math.floor((PARTITIONS + nodes - 1 - n) / nodes))
}

/** How many partitions must leave nodes that hold so many, for the shares to be those of so many nodes. */
export function fewestMoves(counts: readonly number[], nodes: number): number {
  const shares = sharesOf(nodes)
  const sorted = [...counts].sort((a, b) => b - a)
  return sorted.reduce((sum, count, n) => sum + Math.max(0, count - (shares[n] ?? 0)), 0)
}
