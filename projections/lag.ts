// How far this node's views are behind the log: told by the log, so that it is so too where the runner stands still. Only what
// this node holds counts: another one's progress says nothing of it.

import type { Position, StoredEvent } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import type { Holding } from '../stores/contract/holding.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Progress } from './progress.ts'

const PAGE = 1_000
/** Of so many events that wait to be read, one is taken for this node's without looking further. */
const PAGES = 10

export interface Lag {
  /** From where the runner reads on: told at the beginning of each round (null: of the log). */
  stands(from: Position | null): void
  /** What it read last. */
  read(position: Position): void
  /**
   * Milliseconds that the oldest event that this node has yet to apply has waited; 0 where there is none. Rejects where
   * the log is away.
   */
  ms(nowMs: number): Promise<number>
}

export function createLag(log: Pick<Log, 'readAll'>, holding: Holding, progress: Progress): Lag {
  let at: Position | null = null
  const isDue = ({ position, meta }: StoredEvent, held: ReadonlySet<number>) =>
    held.has(partitionOf(meta.game)) && position > (progress.current(meta.game) ?? '')

  async function oldestDue(held: ReadonlySet<number>): Promise<StoredEvent | undefined> {
    let after = at
    for (let page = 1; ; page++) {
      const events = await log.readAll(after, page === 1 ? 1 : PAGE)
      const due = events.find((event) => isDue(event, held))
      const last = events.at(-1)
      if (due !== undefined || last === undefined || page > PAGES) return due ?? last
      after = last.position
    }
  }

  return {
    stands: (from) => {
      at = from
    },
    read: (position) => {
      at = position
    },
    async ms(nowMs) {
      const held = holding.now().partitions
      if (held.size === 0) return 0
      const due = await oldestDue(held)
      return due === undefined ? 0 : Math.max(0, nowMs - Date.parse(due.meta.time))
    },
  }
}
