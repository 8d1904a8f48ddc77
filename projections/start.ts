// Steps before the first request: every view has its collections and was built from this log, and its projector, here
// or on another node, has reached the head that the log had when this process started.

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

/** The log is not the one that a view was built from: it was restored, exchanged or lost events. */
export class LogAnchorMismatch extends Error {
  readonly code = 'log_anchor_mismatch'
  constructor(view: string, position: string, isEventThere: boolean) {
    const here = isEventThere ? 'this log has another one there' : 'this log has none there'
    super(
      `log_anchor_mismatch: view ${view} was built from a log with an event at position ${position}, and ${here}. ` +
        'If the log was restored or exchanged, drop the views (views.sqlite, or in MongoDB every collection but `secrets`), and ' +
        'the next start rebuilds them from this log. If not, the log has lost events: restore a backup.',
    )
    this.name = 'LogAnchorMismatch'
  }
}

/**
 * Prepares the views. Returns the keys of new views, which must be built from the start of the log. Throws
 * LogAnchorMismatch.
 */
export async function prepareViews({ log, views }: StartDeps, projections: readonly Projection[]): Promise<string[]> {
  for (const projection of projections) await views.prepare(viewSpec(projection))
  const fresh: string[] = []
  // Views mostly have the same checkpoints: look each event up once.
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
      const id = await idAt(position)
      if (id !== eventId) throw new LogAnchorMismatch(viewKey(projection), position, id !== null)
    }
  }
  return fresh
}

/**
 * Resolves once every event that the log has now is applied to every view, by the owner of its partition; or when the
 * signal aborts.
 */
export async function untilBuilt(log: Log, progress: Progress, signal: AbortSignal): Promise<void> {
  const head = await log.head()
  if (head === null) return
  for (const partition of ALL_PARTITIONS) await progress.waitUntil(partition, '', signal)
  // The checkpoint of an idle partition does not move, so wait for the position of each event since.
  for (let after = progress.least(); after !== null && after < head && !signal.aborted; ) {
    const events = await log.readAll(after, PAGE)
    for (const { position, meta } of events) {
      if (position <= head) await progress.waitUntil(partitionOf(meta.game), position, signal)
    }
    after = events.at(-1)?.position ?? null
  }
}
