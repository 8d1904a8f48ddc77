// Follows the partitions that another process owns: while someone in this process waits for their views, reads their
// checkpoints from the store.

import type { Position } from '../domain/event.ts'
import { ALL_PARTITIONS } from '../domain/partition.ts'
import type { PartitionOwnership } from '../stores/contract/leases.ts'
import type { Views } from '../stores/contract/views.ts'
import type { Progress } from './progress.ts'

/**
 * Polling interval while someone waits: the most that a read after a write through another node is delayed. After 20
 * polls without news each further one doubles the interval, so that waiting in vain (for a position of a log that was
 * since restored from a copy, or for projectors that are down) costs the store little.
 */
const POLL_EVERY_MS = 15
const POLLS_BEFORE_BACKOFF = 20
const MAX_POLL_MS = 160
const RETRY_MS = 1_000

export interface FollowDeps {
  readonly views: Views
  readonly progress: Progress
  /** Called when a poll fails; polling continues. */
  pollFailed(error: unknown): void
}

/** Follows all views of these keys until the signal aborts. */
export async function followOthers(
  { views, progress, pollFailed }: FollowDeps,
  keys: readonly string[],
  ownership: PartitionOwnership,
  signal: AbortSignal,
): Promise<void> {
  const poll = createPoll(views, keys, progress)
  let wake = () => {}
  progress.onWait = () => wake()
  // One listener for the whole run: a signal retains everything that `AbortSignal.any` derives from it for its
  // lifetime.
  signal.addEventListener('abort', () => wake(), { once: true })
  let idlePolls = 0
  while (!signal.aborted) {
    const { partitions, changed } = ownership.now()
    const others = ALL_PARTITIONS.filter((partition) => !partitions.has(partition))
    const awaited = others.filter((partition) => progress.isAwaited([partition]))
    if (awaited.length > 0) {
      const hasAdvanced = await poll(awaited).catch((error: unknown) => {
        pollFailed(error)
        return null
      })
      idlePolls = hasAdvanced === true ? 0 : idlePolls + 1
      await new Promise((wake) => setTimeout(wake, hasAdvanced === null ? RETRY_MS : pauseMs(idlePolls)))
    } else {
      idlePolls = 0
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      changed.addEventListener('abort', wake, { once: true })
      await woken
      changed.removeEventListener('abort', wake)
    }
  }
}

function pauseMs(idlePolls: number): number {
  return Math.min(POLL_EVERY_MS * 2 ** Math.max(0, idlePolls - POLLS_BEFORE_BACKOFF), MAX_POLL_MS)
}

/** A view, and its position in a partition; null: it has not started. */
interface Reached {
  readonly view: string
  readonly position: Position | null
}

/** Reads how far the views have come in these partitions. Resolves to true if any position has advanced. */
function createPoll(views: Pick<Views, 'checkpoints'>, keys: readonly string[], progress: Progress) {
  /**
   * Of each partition: the view that was the furthest behind when all were read. All together advance only after this
   * one has, so it is read alone until then: a store answers one view in a fraction of the time that all take.
   */
  const slowest = new Map<number, Reached>()

  const reachedBy = async (view: string, partition: number): Promise<Reached> => {
    const checkpoint = (await views.checkpoints(view, [partition])).get(partition)
    return { view, position: checkpoint?.position ?? null }
  }

  async function pollOne(partition: number): Promise<boolean> {
    const before = slowest.get(partition)
    if (before !== undefined && (await reachedBy(before.view, partition)).position === before.position) return false
    const all = await Promise.all(keys.map((view) => reachedBy(view, partition)))
    const [first, ...others] = all
    if (first === undefined) return false
    const least = others.reduce((one, other) => ((other.position ?? '') < (one.position ?? '') ? other : one), first)
    slowest.set(partition, least)
    return least.position !== null && progress.advance(partition, least.position)
  }

  return async (partitions: readonly number[]): Promise<boolean> => {
    const haveAdvanced = await Promise.all(partitions.map(pollOne))
    return haveAdvanced.some((hasAdvanced) => hasAdvanced)
  }
}
