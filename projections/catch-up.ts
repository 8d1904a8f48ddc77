// The beginning of a round of the runner: lost rankings are filled, and what the log has by now is applied in large steps.

import type { Position } from '../domain/event.ts'
import type { Rankings } from '../stores/contract/rankings.ts'
import { type Applier, write } from './apply.ts'
import { fillRankings } from './fill-rankings.ts'
import { viewSpec } from './projection.ts'
import type { RunDeps } from './run.ts'
import {
  ahead,
  beyond,
  type Checkpoints,
  earliest,
  everywhere,
  move,
  openStandings,
  reached,
  type Standings,
} from './standings.ts'

const CATCH_UP_BATCH = 4_000
/** While catching up, documents are written when this many have changed. */
const CHANGED_MAX = 200_000

/**
 * Gives where the views then stand, and their rankings, to be watched. Rejects with the signal; a crash at any point leaves
 * what was written with its checkpoint, or nothing.
 */
export async function catchUp(
  deps: RunDeps,
  appliers: readonly Applier[],
  held: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<{ standings: Standings; rankings: readonly Rankings[] }> {
  const standings = await openStandings(deps.views, appliers, held)
  deps.stands?.(earliest(standings))
  const isFresh = earliest(standings) === null
  const history = (until: Position) => applyHistory(deps, standings, until, signal)
  const rankings = await fillRankings(deps, appliers, [...held], history)
  const head = await deps.log.head()
  if (head !== null) await history(head)
  // Now for the indexes, which a store may have put off until its new collections are filled.
  if (isFresh) for (const { projection } of appliers) await deps.views.prepare(viewSpec(projection))
  deps.stands?.(earliest(standings))
  for (const [partition, position] of reached(standings)) {
    if (position !== null) deps.progress.advance(partition, position)
  }
  return { standings, rankings }
}

async function applyHistory(deps: RunDeps, standings: Standings, until: Position, signal: AbortSignal) {
  const { held, of } = standings
  let written = 0
  for (let after = earliest(standings), read = 0; after === null || after < until; ) {
    const events = await deps.log.readAll(after, CATCH_UP_BATCH)
    const last = events.at(-1)
    signal.throwIfAborted()
    if (last === undefined) return
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

/** Writes what the views have changed, with the checkpoints that they have come to, and wakes who waits for those. */
export async function writeReached(deps: RunDeps, { of }: Standings, moved: Checkpoints): Promise<void> {
  await write(deps, ...[...of].map(([applier, standing]) => applier.take(ahead(standing, moved))))
  for (const standing of of.values()) move(standing, moved)
  for (const [partition, checkpoint] of moved) deps.progress.advance(partition, checkpoint.position)
}
