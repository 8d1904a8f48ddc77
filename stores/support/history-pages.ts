// Reads the history of a game or a board in pages.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { History, HistoryFilter, HistoryPart } from '../contract/history.ts'

/** Reads a history without decrypting personal text, if that saves work. */
export const unopened = (history: History): HistoryPart<StoredEvent> => history.unopened ?? history.part

interface HistoryRead<Event> {
  /** Null: from the beginning. */
  readonly after?: Position | null
  /** Reading ends at the first event for which this is false; default: at the end of the history. */
  readonly isIn?: (event: Event) => boolean
  readonly limit: number
  /** Prefetch: requests the next page before the current one is handled. */
  readonly isAhead?: boolean
}

/**
 * The history of a game or board in non-empty pages, in log order; read on demand, or one page ahead. `between` runs
 * before each page but the first; by default it yields to the event loop, which promises alone never do.
 */
export async function* historyPages<Event extends { readonly position: Position }>(
  read: HistoryPart<Event>,
  filter: HistoryFilter,
  { after = null, isIn = all, limit, isAhead = false }: HistoryRead<Event>,
  between: () => Promise<void> = yieldToEventLoop,
): AsyncGenerator<readonly Event[]> {
  for (let reading = read(filter, after, limit); ; ) {
    const inside: Event[] = (await reading).filter(isIn)
    const next = () => read(filter, inside.at(-1)?.position ?? null, limit)
    const hasMore = inside.length === limit
    if (hasMore && isAhead) {
      reading = next()
      // A caller that continues gets the rejection from the await above; one that stops must not cause an unhandled
      // one.
      reading.catch(() => {})
    }
    if (inside.length > 0) yield inside
    if (!hasMore) return
    await between()
    if (!isAhead) reading = next()
  }
}

/** For `isIn`: up to and including a position. */
export const upTo =
  (last: Position) =>
  ({ position }: { readonly position: Position }): boolean =>
    position <= last

const all = () => true
