// Whether builds of views have come to a place in the log. A checkpoint alone does not tell: where nothing happens in a partition it
// is moved along only now and then, however far the views have come there, and nobody may wait for that.

import type { Position } from '../../domain/event.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Views } from '../../stores/contract/views.ts'
import { IDLE_CHECKPOINT_EVERY } from '../run.ts'

const PAGE_MOST = 1_000
/** More than a checkpoint lags behind where nothing happens. */
const READ_MOST = 2 * IDLE_CHECKPOINT_EVERY

export interface ReachedDeps {
  readonly views: Views
  readonly log: Pick<Log, 'head' | 'readAll'>
}

/** Whether each of these has applied all that the log holds up to this position; null: an empty log. */
export async function haveReached(
  { views, log }: ReachedDeps,
  keys: readonly string[],
  to: Position | null,
): Promise<boolean> {
  if (to === null) return true
  const all: ReadonlyMap<number, { readonly position: Position }>[] = []
  for (const key of keys) all.push(await views.checkpoints(key))
  const least = new Map<number, Position>()
  for (const partition of ALL_PARTITIONS) {
    for (const checkpoints of all) {
      const position = checkpoints.get(partition)?.position
      // It is yet to begin there.
      if (position === undefined) return false
      if (position < (least.get(partition) ?? END)) least.set(partition, position)
    }
  }
  let after = [...least.values()].reduce((first, one) => (one < first ? one : first), END)
  // While a build is far behind, the first event tells.
  for (let read = 0, page = 1; after < to; read += page, page = Math.min(10 * page, PAGE_MOST)) {
    if (read > READ_MOST) return false
    const events = await log.readAll(after, page)
    if (events.length === 0) return true
    for (const { position, meta } of events) {
      if (position <= to && position > (least.get(partitionOf(meta.game)) ?? END)) return false
      after = position
    }
  }
  return true
}

/** After every position. */
const END: Position = '\uffff'
