// The runner: one subscription to the log, all views of this process, in log order, in the partitions that it holds. After
// each batch the rankings, the documents and the checkpoints are written, in that order, and whoever waits for the batch's
// positions is woken.

import type { Position, StoredEvent } from '../domain/event.ts'
import { aborted, type Holding } from '../stores/contract/holding.ts'
import type { Log } from '../stores/contract/log.ts'
import { type Applier, type ApplyDeps, write } from './apply.ts'
import { endWhenRankingsAreLost, fillRankings } from './fill-rankings.ts'
import type { Progress } from './progress.ts'
import { viewSpec } from './projection.ts'
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
  type Standings,
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
      endLooking = endWhenRankingsAreLost(deps, rankings, round)
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

/**
 * The beginning of a round: fills the rankings that are lost, and applies what the log has by now, in large steps. Gives
 * where the views then stand, and the names that the rankings are filled under. Ends early with the signal; a crash at any
 * point leaves what was written with its checkpoint, or nothing.
 */
export async function catchUp(
  deps: RunDeps,
  appliers: readonly Applier[],
  held: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<{ standings: Standings; rankings: readonly string[] }> {
  // Documents held from before are not those of the checkpoints now read: another node may have written both since.
  for (const applier of appliers) applier.forget()
  // Before the rankings are filled: what another node writes meanwhile comes again, and is put into them.
  const standings = await openStandings(deps.views, appliers, held)
  const rankings = await fillRankings(deps, appliers)
  const isFresh = earliest(standings) === null
  await applyHistory(deps, standings, await deps.log.head(), signal)
  // Now for the indexes, which a store may have put off until its new collections are filled.
  if (isFresh) for (const { projection } of appliers) await deps.views.prepare(viewSpec(projection))
  for (const [partition, position] of reached(standings)) {
    if (position !== null) deps.progress.advance(partition, position)
  }
  return { standings, rankings }
}

/** Up to a position, or null: there is no history. */
async function applyHistory(deps: RunDeps, standings: Standings, until: Position | null, signal: AbortSignal) {
  const { held, of } = standings
  let written = 0
  for (let after = earliest(standings), read = 0; until !== null && (after === null || after < until); ) {
    const events = await deps.log.readAll(after, CATCH_UP_BATCH)
    const last = events.at(-1)
    if (last === undefined || signal.aborted) return
    for (const [applier, standing] of of) await applier.apply(beyond(events, standing, held))
    after = last.position
    read += events.length
    const changed = [...of.keys()].reduce((sum, applier) => sum + applier.changed(), 0)
    if (changed >= Math.min(CHANGED_MAX, deps.rankings.putMax) || after >= until) {
      await writeReached(deps, standings, everywhere(last, held))
      deps.applied(read - written, last)
      written = read
    }
    deps.catchingUp(read)
  }
}

async function applyBatch(deps: RunDeps, standings: Standings, events: readonly StoredEvent[], all: boolean) {
  const last = events.at(-1) as StoredEvent
  const { held, of } = standings
  for (const [applier, standing] of of) await applier.apply(beyond(events, standing, held))
  await writeReached(deps, standings, all ? everywhere(last, held) : lastPerPartition(events, held))
  deps.applied(events.length, last)
}

/** Writes what the views have changed, with the checkpoints that they have come to, and wakes who waits for those. */
async function writeReached(deps: RunDeps, { of }: Standings, moved: Checkpoints): Promise<void> {
  await write(deps, ...[...of].map(([applier, standing]) => applier.take(ahead(standing, moved))))
  for (const standing of of.values()) move(standing, moved)
  for (const [partition, checkpoint] of moved) deps.progress.advance(partition, checkpoint.position)
}
