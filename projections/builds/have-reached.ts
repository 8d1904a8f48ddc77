// Whether builds of views have reached a position in the log. Checkpoints alone are not enough: the checkpoint of an
// idle partition moves rarely, so it can be far behind although nothing is left to apply.

import type { Position } from '../../domain/event.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Views } from '../../stores/contract/views.ts'
import { IDLE_CHECKPOINT_EVERY } from '../run.ts'

const MAX_PAGE = 1_000
/** More events than the checkpoint of an idle partition can be behind. */
const MAX_READ = 2 * IDLE_CHECKPOINT_EVERY

export interface ReachedDeps {
  readonly views: Views
  readonly log: Pick<Log, 'head' | 'readAll'>
}

/** Whether each of these views has applied all events up to this position; null: an empty log. */
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
      // The view has not started in this partition.
      if (position === undefined) return false
      if (position < (least.get(partition) ?? END)) least.set(partition, position)
    }
  }
  let after = [...least.values()].reduce((first, one) => (one < first ? one : first), END)
  // Read one event first: if the build is far behind, it already shows that.
  for (let read = 0, page = 1; after < to; read += page, page = Math.min(10 * page, MAX_PAGE)) {
    if (read > MAX_READ) return false
    const events = await log.readAll(after, page)
    if (events.length === 0) return true
    for (const { position, meta } of events) {
      if (position <= to && position > (least.get(partitionOf(meta.game)) ?? END)) return false
      after = position
    }
  }
  return true
}

/** Greater than every position. */
const END: Position = '\uffff'
