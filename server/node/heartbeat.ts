// Sends this node's heartbeat and tracks the partitions that its leases grant. A lease that is not renewed expires
// locally too, so no partition is processed after `leaseMs` without a heartbeat.

import {
  BEAT_EVERY_MS,
  type HeartbeatAnswer,
  LEASE_MS,
  type Leases,
  type Node,
  type OwnedPartitions,
  type PartitionOwnership,
} from '../../stores/contract/leases.ts'

interface HeartbeatHooks {
  /** Awaited before each heartbeat. If it rejects, the heartbeat is skipped and the leases run towards expiry. */
  readonly before?: () => Promise<void>
  /** Called after each heartbeat; `gapMs` is the time since the previous one. */
  onHeartbeat(heartbeat: HeartbeatAnswer, gapMs: number): void
  failed(error: unknown): void
}

export interface Heartbeat extends PartitionOwnership {
  /** Releases the leases. If the lease store is unavailable, they expire on their own. */
  stop(): Promise<void>
}

interface Times {
  readonly heartbeatEveryMs: number
  readonly leaseMs: number
}

/** Sends the first heartbeat, then one every `heartbeatEveryMs`. Rejects if the first one fails. */
export async function startHeartbeat(
  leases: Leases,
  node: Node,
  hooks: HeartbeatHooks,
  { heartbeatEveryMs, leaseMs }: Times = { heartbeatEveryMs: BEAT_EVERY_MS, leaseMs: LEASE_MS },
): Promise<Heartbeat> {
  let changing = new AbortController()
  let owned: OwnedPartitions = { partitions: new Set(), changed: changing.signal }
  let last = performance.now()
  let stopped = false
  let next: NodeJS.Timeout | undefined
  let expiry: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  const setOwned = (partitions: readonly number[]): void => {
    const same = partitions.length === owned.partitions.size && partitions.every((one) => owned.partitions.has(one))
    if (same) return
    const before = changing
    changing = new AbortController()
    owned = { partitions: new Set(partitions), changed: changing.signal }
    before.abort()
  }

  const heartbeat = async (): Promise<void> => {
    await hooks.before?.()
    const startedMs = performance.now()
    const answer = await leases.heartbeat(node)
    const gapMs = startedMs - last
    last = startedMs
    clearTimeout(expiry)
    // The lease expires in the store after leaseMs, whether or not this process can reach it.
    expiry = setTimeout(() => setOwned([]), leaseMs - (performance.now() - startedMs)).unref()
    setOwned(answer.owned)
    hooks.onHeartbeat(answer, gapMs)
  }

  const scheduleNext = (): void => {
    next = setTimeout(() => {
      sending = heartbeat()
        .catch((error: unknown) => hooks.failed(error))
        .then(() => {
          if (!stopped) scheduleNext()
        })
    }, heartbeatEveryMs).unref()
  }

  await heartbeat()
  scheduleNext()
  return {
    now: () => owned,
    stop: async () => {
      stopped = true
      clearTimeout(next)
      await sending
      clearTimeout(next)
      clearTimeout(expiry)
      await leases.leave(node.id).catch((error: unknown) => hooks.failed(error))
    },
  }
}
