// The runner: one subscription to the log, all views of this process, in log order, in the partitions that it holds. After
// each batch it writes rankings, documents and checkpoints, in that order, and wakes those who wait for its positions.

import type { StoredEvent } from '../domain/event.ts'
import { aborted } from '../scheduling/aborted.ts'
import type { Holding } from '../stores/contract/holding.ts'
import type { Applier } from './apply.ts'
import { batchesOf, type CatchUpDeps, catchUp, type EventBatch, writeReached } from './catch-up.ts'
import { beyond, earliest, endsGame, everywhere, lastPerPartition, type OwnedCheckpoints } from './checkpoints.ts'
import { endWhenRankingsAreLost } from './fill-rankings.ts'

const LIVE_BATCH = 1_000
const REOPEN_AFTER_MS = 200
/** The checkpoints of partitions where nothing happens are moved along at least after this many events. */
export const IDLE_CHECKPOINT_EVERY = 10_000

export interface RunDeps extends CatchUpDeps {
  /** Told when the subscription broke, or a write failed, and it is opened again from the last checkpoint. */
  reopening(why: unknown): void
}

/**
 * Applies the log to the views until the signal aborts: in rounds, each from the last checkpoints on, a new one after every
 * failure and whenever other partitions are held.
 */
export async function run(
  deps: RunDeps,
  appliers: readonly Applier[],
  holding: Holding,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { partitions, changed } = holding.now()
    const round = new AbortController()
    const until = AbortSignal.any([signal, changed, round.signal])
    if (partitions.size === 0) {
      await aborted(until)
      continue
    }
    let endLooking = () => {}
    try {
      const { checkpoints, rankings } = await catchUp(deps, appliers, partitions, until)
      endLooking = endWhenRankingsAreLost(rankings, round)
      // A partition without a checkpoint gets one with the first batch: who follows it from elsewhere must know of it.
      let unmoved = earliest(checkpoints) === null ? IDLE_CHECKPOINT_EVERY : 0
      for await (const events of deps.log.subscribe(earliest(checkpoints), LIVE_BATCH, until)) {
        for (const piece of batchesOf(events, appliers)) {
          unmoved += piece.events.length
          const all = unmoved >= IDLE_CHECKPOINT_EVERY || endsGame(piece.events)
          await applyBatch(deps, checkpoints, piece, all, until)
          if (all) unmoved = 0
        }
      }
    } catch (why) {
      if (until.aborted) continue
      deps.reopening(why)
      await new Promise((wake) => setTimeout(wake, REOPEN_AFTER_MS))
    } finally {
      endLooking()
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
  const { held, of } = checkpoints
  for (const [applier, own] of of) await applier.apply(beyond(events, own, held), signal)
  // Who holds the partitions by now may have gone on while this was loaded: then it is made of documents of two times.
  signal.throwIfAborted()
  await writeReached(deps, checkpoints, all ? everywhere(last, held) : lastPerPartition(events, held), replays)
  deps.applied(events.length, last)
}
