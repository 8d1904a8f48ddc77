// Before the first request: every view has its collections and belongs to this log; and its runner, here or
// elsewhere, has brought it to where the log was when this process started.

import { ALL_PARTITIONS, partitionOf } from '../domain/partition.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Views } from '../stores/contract/views.ts'
import type { Progress } from './progress.ts'
import { type Projection, viewKey, viewSpec } from './projection.ts'

const PAGE = 4_000

interface StartDeps {
  readonly log: Log
  readonly views: Views
}

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

/** Throws LogAnchorMismatch. Gives the views that are new, to be built from the beginning. */
export async function prepareViews({ log, views }: StartDeps, projections: readonly Projection[]): Promise<string[]> {
  for (const projection of projections) await views.prepare(viewSpec(projection))
  const fresh: string[] = []
  // Views mostly stand at the same events: each is asked for once.
  const ids = new Map<string, string | null>()
  const idAt = async (position: string) => {
    const known = ids.get(position) ?? (await log.eventAt(position))?.id ?? null
    ids.set(position, known)
    return known
  }
  for (const projection of projections) {
    const checkpoints = await views.checkpoints(viewKey(projection))
    if (checkpoints.size === 0) fresh.push(viewKey(projection))
    for (const { position, eventId } of checkpoints.values()) {
      if ((await idAt(position)) !== eventId) throw new LogAnchorMismatch(viewKey(projection), position)
    }
  }
  return fresh
}

/** Resolves once every event now in the log is applied to every view, by the owners of the partitions; or with the signal. */
export async function untilBuilt(log: Log, progress: Progress, signal: AbortSignal): Promise<void> {
  const head = await log.head()
  if (head === null) return
  for (const partition of ALL_PARTITIONS) await progress.waitUntil(partition, '', signal)
  // A partition's checkpoint stands still while nothing happens in it: what counts is each event since.
  for (let after = progress.least(); after !== null && after < head && !signal.aborted; ) {
    const events = await log.readAll(after, PAGE)
    for (const { position, meta } of events) {
      if (position <= head) await progress.waitUntil(partitionOf(meta.game), position, signal)
    }
    after = events.at(-1)?.position ?? null
  }
}
