// Partitions that another process applies: where their views have come to is read from the checkpoints in the store, while
// somebody here waits for it.

import { ALL_PARTITIONS } from '../domain/partition.ts'
import type { Holding } from '../stores/contract/holding.ts'
import type { Checkpoint, Views } from '../stores/contract/views.ts'
import { leastReached } from './checkpoints.ts'
import type { Progress } from './progress.ts'

/**
 * Between two looks while somebody waits: what a read after a write through another node takes longer at most. After some
 * that found nothing new each doubles it: who waits for what does not come (a position of a log that was since restored
 * from a copy, projectors that are away) costs the store little.
 */
const LOOK_EVERY_MS = 10
const LOOKS_WITHOUT_NEWS = 20
const LOOK_LATEST_MS = 160
const LOOK_AGAIN_MS = 1_000

export interface FollowDeps {
  readonly views: Views
  readonly progress: Progress
  /** Told of a look that failed; the next one comes all the same. */
  lookFailed(why: unknown): void
}

/** Follows all views of these keys until the signal aborts. */
export async function followOthers(
  { views, progress, lookFailed }: FollowDeps,
  keys: readonly string[],
  holding: Holding,
  signal: AbortSignal,
): Promise<void> {
  let wake = () => {}
  progress.onWait = () => wake()
  // Listened to once: a signal keeps what `AbortSignal.any` makes of it for as long as it lives.
  signal.addEventListener('abort', () => wake(), { once: true })
  let fruitless = 0
  while (!signal.aborted) {
    const { partitions, changed } = holding.now()
    const others = ALL_PARTITIONS.filter((partition) => !partitions.has(partition))
    if (progress.isAwaited(others)) {
      const found = await look(views, keys, others, progress).catch((why: unknown) => {
        lookFailed(why)
        return null
      })
      fruitless = found === true ? 0 : fruitless + 1
      await new Promise((wake) => setTimeout(wake, found === null ? LOOK_AGAIN_MS : pauseMs(fruitless)))
    } else {
      fruitless = 0
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      changed.addEventListener('abort', wake, { once: true })
      await woken
      changed.removeEventListener('abort', wake)
    }
  }
}

function pauseMs(fruitless: number): number {
  return Math.min(LOOK_EVERY_MS * 2 ** Math.max(0, fruitless - LOOKS_WITHOUT_NEWS), LOOK_LATEST_MS)
}

/** Whether anything had come further. */
async function look(
  views: Views,
  keys: readonly string[],
  partitions: readonly number[],
  progress: Progress,
): Promise<boolean> {
  const all: ReadonlyMap<number, Checkpoint>[] = await Promise.all(keys.map((key) => views.checkpoints(key)))
  let found = false
  for (const partition of partitions) {
    const reached = leastReached(all, partition)
    if (reached !== null && progress.advance(partition, reached)) found = true
  }
  return found
}
