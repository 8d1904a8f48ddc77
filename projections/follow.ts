// Partitions that another process applies: where their views have come to is read from the checkpoints in the store, while
// somebody here waits for it.

import type { Holding } from '../stores/contract/holding.ts'
import { ALL_PARTITIONS } from '../stores/contract/partition.ts'
import type { Checkpoint, Views } from '../stores/contract/views.ts'
import { leastReached } from './checkpoints.ts'
import type { Progress } from './progress.ts'

/** Between two looks while somebody waits: what a read after a write through another node takes longer at most. */
const LOOK_EVERY_MS = 10
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
  signal.addEventListener('abort', () => wake())
  while (!signal.aborted) {
    const { partitions, changed } = holding.now()
    const others = ALL_PARTITIONS.filter((partition) => !partitions.has(partition))
    if (progress.isAwaited(others)) {
      const failed = await look(views, keys, others, progress).then(
        () => false,
        (why: unknown) => {
          lookFailed(why)
          return true
        },
      )
      await new Promise((wake) => setTimeout(wake, failed ? LOOK_AGAIN_MS : LOOK_EVERY_MS))
    } else {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      changed.addEventListener('abort', wake, { once: true })
      await woken
      changed.removeEventListener('abort', wake)
    }
  }
}

async function look(views: Views, keys: readonly string[], partitions: readonly number[], progress: Progress) {
  const all: ReadonlyMap<number, Checkpoint>[] = await Promise.all(keys.map((key) => views.checkpoints(key)))
  for (const partition of partitions) {
    const reached = leastReached(all, partition)
    if (reached !== null) progress.advance(partition, reached)
  }
}
