// The runner: one subscription to the log, all views of this process, in log order. After each batch the rankings, the
// documents and the checkpoints are written, in that order, and whoever waits for the batch's positions is woken.

import type { Position, StoredEvent } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { ALL_PARTITIONS } from '../stores/contract/partition.ts'
import { type Applier, type ApplyDeps, write } from './apply.ts'
import { endWhenRankingsAreLost, fillRankings } from './fill-rankings.ts'
import type { Progress } from './progress.ts'
import {
  ahead,
  beyond,
  type Checkpoints,
  earliest,
  everywhere,
  lastPerPartition,
  move,
  openStandings,
  reached,
} from './standings.ts'

const LIVE_BATCH = 1_000
const CATCH_UP_BATCH = 4_000
/** While catching up, documents are written when this many have changed. */
const CHANGED_MAX = 200_000
const REOPEN_AFTER_MS = 200
/** The checkpoints of partitions where nothing happens are moved along at least after this many events. */
const IDLE_CHECKPOINT_EVERY = 10_000

export interface RunDeps extends ApplyDeps {
  readonly log: Log
  readonly progress: Progress
  /** Told when the subscription broke, or a write failed, and it is opened again from the last checkpoint. */
  reopening(why: unknown): void
  /** Told after each write: how many events came with it, and the last of them. */
  applied(events: number, last: StoredEvent): void
}

/** Applies the log to the views until the signal aborts, reopening from the last checkpoint after every failure. */
export async function run(deps: RunDeps, appliers: readonly Applier[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const round = new AbortController()
    const until = AbortSignal.any([signal, round.signal])
    let endLooking = () => {}
    try {
      const catchingUp = (until: Position) => catchUp(deps, appliers, until)
      endLooking = endWhenRankingsAreLost(await fillRankings(deps, appliers, ALL_PARTITIONS, catchingUp), round)
      const standings = await openStandings(deps.views, appliers)
      for (const [partition, position] of reached(standings)) deps.progress.advance(partition, position)
      let unmoved = 0
      for await (const events of deps.log.subscribe(earliest(standings), LIVE_BATCH, until)) {
        unmoved += events.length
        const all = unmoved >= IDLE_CHECKPOINT_EVERY
        await applyBatch(deps, standings, events, all)
        if (all) unmoved = 0
      }
    } catch (why) {
      deps.reopening(why)
      await new Promise((wake) => setTimeout(wake, REOPEN_AFTER_MS))
    } finally {
      endLooking()
    }
  }
}

async function applyBatch(
  deps: RunDeps,
  standings: ReadonlyMap<Applier, Checkpoints>,
  events: readonly StoredEvent[],
  all: boolean,
): Promise<void> {
  const last = events.at(-1) as StoredEvent
  const moved = all ? everywhere(last) : lastPerPartition(events)
  for (const [applier, standing] of standings) await applier.apply(beyond(events, standing))
  await writeReached(deps, standings, moved)
  for (const standing of standings.values()) move(standing, moved)
  for (const [partition, checkpoint] of moved) deps.progress.advance(partition, checkpoint.position)
  deps.applied(events.length, last)
}

/** Writes what the views have changed, with the checkpoints that they have come to. */
function writeReached(deps: RunDeps, standings: ReadonlyMap<Applier, Checkpoints>, moved: Checkpoints): Promise<void> {
  return write(deps, ...[...standings].map(([applier, standing]) => applier.take(ahead(standing, moved))))
}

/**
 * Applies history up to a position in large steps, for views that are new or far behind. A crash at any point leaves what
 * was written with its checkpoint, or nothing. `told` hears how many events were read so far.
 */
export async function catchUp(
  deps: RunDeps,
  appliers: readonly Applier[],
  until: Position,
  told: (read: number) => void = () => {},
): Promise<void> {
  const standings = await openStandings(deps.views, appliers)
  let after = earliest(standings)
  let written = 0
  for (let read = 0; after === null || after < until; ) {
    const events = await deps.log.readAll(after, CATCH_UP_BATCH)
    const last = events.at(-1)
    if (last === undefined) return
    for (const [applier, standing] of standings) await applier.apply(beyond(events, standing))
    after = last.position
    read += events.length
    const changed = appliers.reduce((sum, applier) => sum + applier.changed(), 0)
    if (changed >= Math.min(CHANGED_MAX, deps.rankings.putMax) || after >= until) {
      await writeReached(deps, standings, everywhere(last))
      deps.applied(read - written, last)
      written = read
    }
    told(read)
  }
}
