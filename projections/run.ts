// The runner: one subscription to the log, all views of this process, in log order, in the partitions that it holds. After
// each batch the rankings, the documents and the checkpoints are written, in that order, and whoever waits for the batch's
// positions is woken.

import type { Position, StoredEvent } from '../domain/event.ts'
import { aborted, type Holding } from '../stores/contract/holding.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Applier, ApplyDeps } from './apply.ts'
import { catchUp, writeReached } from './catch-up.ts'
import { endWhenRankingsAreLost } from './fill-rankings.ts'
import type { Progress } from './progress.ts'
import { beyond, earliest, everywhere, lastPerPartition, type Standings } from './standings.ts'

const LIVE_BATCH = 1_000
const REOPEN_AFTER_MS = 200
/** The checkpoints of partitions where nothing happens are moved along at least after this many events. */
const IDLE_CHECKPOINT_EVERY = 10_000

export interface RunDeps extends ApplyDeps {
  readonly log: Log
  /** Names the installation: rankings that were filled for another one count as lost. */
  readonly installation: string
  readonly progress: Progress
  /** Told when the subscription broke, or a write failed, and it is opened again from the last checkpoint. */
  reopening(why: unknown): void
  /** Told at the beginning of each round: from where on the log is read, all before being applied in what is held then. */
  stands?(from: Position | null): void
  /** Told after each write: how many events came with it, and the last of them. */
  applied(events: number, last: StoredEvent): void
  /** Told while history is applied: how many events were read so far. */
  catchingUp(read: number): void
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
      const { standings, rankings } = await catchUp(deps, appliers, partitions, until)
      endLooking = endWhenRankingsAreLost(rankings, round)
      // A partition without a checkpoint gets one with the first batch: who follows it from elsewhere must know of it.
      let unmoved = earliest(standings) === null ? IDLE_CHECKPOINT_EVERY : 0
      for await (const events of deps.log.subscribe(earliest(standings), LIVE_BATCH, until)) {
        unmoved += events.length
        const all = unmoved >= IDLE_CHECKPOINT_EVERY
        await applyBatch(deps, standings, events, all)
        if (all) unmoved = 0
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

async function applyBatch(deps: RunDeps, standings: Standings, events: readonly StoredEvent[], all: boolean) {
  const last = events.at(-1) as StoredEvent
  const { held, of } = standings
  for (const [applier, standing] of of) await applier.apply(beyond(events, standing, held))
  await writeReached(deps, standings, all ? everywhere(last, held) : lastPerPartition(events, held))
  deps.applied(events.length, last)
}
