// Reads what past boards are computed from: a board's history, and streams up to a position.

import type { Position, StoredEvent } from '../../domain/event.ts'
import type { BoardFold } from '../../ranking/board-fold/board-fold.ts'
import { streamsFrom } from '../../ranking/board-fold/streams.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { History } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'
import { historyPages, upTo } from '../../stores/support/history-pages.ts'

/** Events per read. */
const PAGE = 250

/** A board's events after a position (null: from the beginning) up to and including another; yields between pages. */
export const eventsOf = (
  read: History['part'],
  board: string,
  { after, last }: { readonly after: Position | null; readonly last: Position },
  slices: TimeSlices,
): AsyncGenerator<readonly StoredEvent[]> =>
  historyPages(read, { board }, { after, isIn: upTo(last), limit: PAGE }, () => slices.yield())

/** The events of a stream up to and including a position. O(their number). */
export async function streamUpTo(
  log: Pick<Log, 'readStream'>,
  stream: string,
  position: Position,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of eventsFrom(log, stream)) {
    if (event.position > position) break
    events.push(event)
  }
  return events
}

export const isScore = ({ type }: StoredEvent): boolean => type === 'ScoreSubmitted' || type === 'ScoreDeleted'

/** Reads the streams that a fold needs. Ignores the abort signal: a fold must not stay half settled. */
export async function settle(fold: BoardFold, log: Pick<Log, 'readStream'>, slices: TimeSlices): Promise<void> {
  if (!fold.isUnsettled) return
  for await (const _ of fold.settle(streamsFrom(log))) if (slices.due) await slices.yieldIgnoringAbort()
}
