// The projector: one subscription to the log that applies events in log order to all views of this process, in the
// partitions it owns. After each batch it writes rankings, documents and checkpoints, in that order, and wakes those
// who wait for the positions reached.

import type { StoredEvent } from '../domain/event.ts'
import { aborted } from '../runtime/yield-to-event-loop.ts'
import type { PartitionOwnership } from '../stores/contract/leases.ts'
import type { Applier } from './applier.ts'
import { batchesOf, type CatchUpDeps, catchUp, type EventBatch, writeReached } from './catch-up.ts'
import { beyond, earliest, endsGame, everywhere, lastPerPartition, type OwnedCheckpoints } from './checkpoints.ts'
import { endWhenRankingsAreLost } from './fill-rankings.ts'

const LIVE_BATCH = 1_000
const REOPEN_AFTER_MS = 200
/** Checkpoints of idle partitions are moved forward at least once per this many events. */
export const IDLE_CHECKPOINT_EVERY = 10_000

export interface RunDeps extends CatchUpDeps {
  /** Called when the subscription broke or a write failed. The projector then starts again from the last checkpoint. */
  reopening(error: unknown): void
}

/**
 * Applies the log to the views until the signal aborts. It works in runs; each starts at the last checkpoints. A new
 * run starts after every failure and whenever the set of owned partitions changes.
 */
export async function run(
  deps: RunDeps,
  appliers: readonly Applier[],
  ownership: PartitionOwnership,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { partitions, changed } = ownership.now()
    const thisRun = new AbortController()
    const until = AbortSignal.any([signal, changed, thisRun.signal])
    if (partitions.size === 0) {
      await aborted(until)
      continue
    }
    try {
      const { checkpoints, rankings } = await catchUp(deps, appliers, partitions, until)
      endWhenRankingsAreLost(rankings, thisRun, until)
      // A partition without a checkpoint gets one with the first batch: other nodes that follow it need to see it.
      let sinceAllMoved = earliest(checkpoints) === null ? IDLE_CHECKPOINT_EVERY : 0
      for await (const events of deps.log.subscribe(earliest(checkpoints), LIVE_BATCH, until)) {
        for (const batch of batchesOf(events, appliers)) {
          sinceAllMoved += batch.events.length
          const all = sinceAllMoved >= IDLE_CHECKPOINT_EVERY || endsGame(batch.events)
          await applyBatch(deps, checkpoints, batch, all, until)
          if (all) sinceAllMoved = 0
        }
      }
    } catch (error) {
      if (until.aborted) continue
      deps.reopening(error)
      await new Promise((wake) => setTimeout(wake, REOPEN_AFTER_MS))
    } finally {
      thisRun.abort()
    }
  }
}

async function applyBatch(
  deps: RunDeps,
  checkpoints: OwnedCheckpoints,
  { events, replays }: EventBatch,
  all: boolean,
  signal: AbortSignal,
) {
  const last = events.at(-1) as StoredEvent
  const { owned, of } = checkpoints
  for (const [applier, own] of of) await applier.apply(beyond(events, own, owned), signal)
  // Another node may own the partitions by now and may have written while this batch was loading, so its documents
  // could mix two states.
  signal.throwIfAborted()
  await writeReached(deps, checkpoints, all ? everywhere(last, owned) : lastPerPartition(events, owned), replays)
  deps.applied(events.length, last)
}
