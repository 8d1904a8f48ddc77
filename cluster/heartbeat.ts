// This node among the others: its heartbeat, and the partitions that it holds by it.

import type { Held, Holding } from '../stores/contract/holding.ts'
import { BEAT_EVERY_MS, type Beat, LEASE_MS, type Leases, type Node } from '../stores/contract/leases.ts'

interface HeartbeatHooks {
  /** Awaited before each heartbeat: where it rejects there is none, and what is held ends with its time. */
  readonly before?: () => Promise<void>
  /** Told after each heartbeat, and how long the node had been without one. */
  beaten(beat: Beat, gapMs: number): void
  failed(why: unknown): void
}

export interface Heartbeat extends Holding {
  /** Gives back what is held. The store may be away: then it falls back by itself. */
  stop(): Promise<void>
}

interface Times {
  readonly beatEveryMs: number
  readonly leaseMs: number
}

/** Beats from now on; rejects where the first heartbeat fails. */
export async function startHeartbeat(
  leases: Leases,
  node: Node,
  hooks: HeartbeatHooks,
  { beatEveryMs, leaseMs }: Times = { beatEveryMs: BEAT_EVERY_MS, leaseMs: LEASE_MS },
): Promise<Heartbeat> {
  let changing = new AbortController()
  let held: Held = { partitions: new Set(), changed: changing.signal }
  let last = performance.now()
  let stopped = false
  let next: NodeJS.Timeout | undefined
  let lapse: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()

  const hold = (partitions: readonly number[]): void => {
    const same = partitions.length === held.partitions.size && partitions.every((one) => held.partitions.has(one))
    if (same) return
    const before = changing
    changing = new AbortController()
    held = { partitions: new Set(partitions), changed: changing.signal }
    before.abort()
  }

  const beat = async (): Promise<void> => {
    await hooks.before?.()
    const begun = performance.now()
    const answer = await leases.beat(node)
    const gapMs = begun - last
    last = begun
    clearTimeout(lapse)
    // What is held ends with its time, whether or not this process learns of it.
    lapse = setTimeout(() => hold([]), leaseMs - (performance.now() - begun)).unref()
    hold(answer.held)
    hooks.beaten(answer, gapMs)
  }

  const beatOn = (): void => {
    next = setTimeout(() => {
      beating = beat()
        .catch((why: unknown) => hooks.failed(why))
        .then(() => {
          if (!stopped) beatOn()
        })
    }, beatEveryMs).unref()
  }

  await beat()
  beatOn()
  return {
    now: () => held,
    stop: async () => {
      stopped = true
      clearTimeout(next)
      await beating
      clearTimeout(next)
      clearTimeout(lapse)
      await leases.leave(node.id).catch((why: unknown) => hooks.failed(why))
    },
  }
}
