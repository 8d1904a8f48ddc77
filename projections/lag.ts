// How far this node's views are behind the log. It is computed from the log, so that it also shows a projector that is
// stuck. Only partitions that this node owns count.

import type { Position, StoredEvent } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import type { PartitionOwnership } from '../stores/contract/leases.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Progress } from './progress.ts'

const PAGE = 1_000
/** Pages to search for an event of an owned partition; beyond them the next event is taken for one. */
const PAGES = 10

export interface Lag {
  /** Sets the position after which the projector reads, at the start of each run; null: the start of the log. */
  startFrom(from: Position | null): void
  /** The position that the projector read last. */
  read(position: Position): void
  /**
   * Milliseconds for which the oldest event that this node has yet to apply has waited; 0 if there is none. Rejects if
   * the log is unavailable.
   */
  ms(nowMs: number): Promise<number>
}

export function createLag(log: Pick<Log, 'readAll'>, ownership: PartitionOwnership, progress: Progress): Lag {
  let at: Position | null = null
  const isDue = ({ position, meta }: StoredEvent, owned: ReadonlySet<number>) =>
    owned.has(partitionOf(meta.game)) && position > (progress.current(meta.game) ?? '')

  async function oldestDue(owned: ReadonlySet<number>): Promise<StoredEvent | undefined> {
    let after = at
    for (let page = 1; ; page++) {
      const events = await log.readAll(after, page === 1 ? 1 : PAGE)
      const due = events.find((event) => isDue(event, owned))
      const last = events.at(-1)
      if (due !== undefined || last === undefined || page > PAGES) return due ?? last
      after = last.position
    }
  }

  return {
    startFrom: (from) => {
      at = from
    },
    read: (position) => {
      at = position
    },
    async ms(nowMs) {
      const owned = ownership.now().partitions
      if (owned.size === 0) return 0
      const due = await oldestDue(owned)
      return due === undefined ? 0 : Math.max(0, nowMs - Date.parse(due.meta.time))
    },
  }
}
