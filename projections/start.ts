// Before the first request: every view has its collections, stands on this very log, and has caught up with it, from the
// beginning where its version is new; rankings that are not there are filled from the documents.

import type { Position } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { ALL_PARTITIONS } from '../stores/contract/partition.ts'
import type { Views } from '../stores/contract/views.ts'
import type { Applier } from './apply.ts'
import { fillRankings } from './fill-rankings.ts'
import { viewKey, viewSpec } from './projection.ts'
import { catchUp, type RunDeps } from './run.ts'

/** The log is not the one a view was built from: it was restored, truncated or exchanged. */
export class LogAnchorMismatch extends Error {
  readonly code = 'log_anchor_mismatch'
  constructor(view: string, position: string) {
    super(
      `log_anchor_mismatch: view ${view} was built from a log that had another event at position ${position}. ` +
        'The log was restored or exchanged. Drop the views (views.sqlite, or in MongoDB every collection but `secrets`), and ' +
        'the next start rebuilds them from this log.',
    )
    this.name = 'LogAnchorMismatch'
  }
}

/** `told` hears which views are new, and how many events were read so far. Throws LogAnchorMismatch. */
export async function startViews(
  deps: RunDeps,
  appliers: readonly Applier[],
  told: (views: readonly string[], read: number) => void,
): Promise<void> {
  for (const { projection } of appliers) await deps.views.prepare(viewSpec(projection))
  for (const { projection } of appliers) await checkAnchor(deps.log, deps.views, viewKey(projection))
  const fresh: string[] = []
  for (const { projection } of appliers) {
    const view = viewKey(projection)
    if ((await deps.views.checkpoints(view)).size === 0) fresh.push(view)
  }
  const catchingUp = (until: Position) => catchUp(deps, appliers, until, (read) => told(fresh, read))
  await fillRankings(deps, appliers, ALL_PARTITIONS, catchingUp)
  const head = await deps.log.head()
  if (head !== null) await catchingUp(head)
  // Now for the indexes, which a store may have put off until its new collections are filled.
  for (const { projection } of appliers) await deps.views.prepare(viewSpec(projection))
  await dropOldVersions(deps, appliers)
}

async function checkAnchor(log: Log, views: Views, view: string): Promise<void> {
  for (const { position, eventId } of (await views.checkpoints(view)).values()) {
    if ((await log.eventAt(position))?.id !== eventId) throw new LogAnchorMismatch(view, position)
  }
}

async function dropOldVersions({ views, rankings }: RunDeps, appliers: readonly Applier[]): Promise<void> {
  const current = new Map(appliers.map(({ projection }) => [projection.name, viewKey(projection)]))
  for (const key of await views.list()) {
    const [name = ''] = key.split('@')
    if (!current.has(name) || current.get(name) === key) continue
    await rankings.drop(key)
    await views.drop(key)
  }
}
