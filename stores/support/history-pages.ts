// Reads the history of a game or a board in pages.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import type { History, HistoryFilter, HistoryPart } from '../contract/history.ts'

/** Reads a history without what players write about themselves, where that spares work. */
export const unopened = (history: History): HistoryPart<StoredEvent> => history.unopened ?? history.part

/** What of a history is read. */
export interface HistoryRead<Event> {
  /** Null: from the beginning. */
  readonly after?: Position | null
  /** Where it holds no longer, there reading ends; without it, where the history does. */
  readonly isIn?: (event: Event) => boolean
  /** Events read at once. */
  readonly limit: number
  /** The next page is asked for before one is handled, so that a server is at it meanwhile. */
  readonly isAhead?: boolean
}

/**
 * The history of a game or board in pages, in log order, none of them empty. Each is read when it is asked for, or one
 * ahead; `between` runs before each but the first, and unless it is given lets others have their turn: promises alone never
 * let the event loop turn.
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
      // Whoever goes on hears of a failure; who does not, need not.
      reading.catch(() => {})
    }
    if (inside.length > 0) yield inside
    if (!hasMore) return
    await between()
    if (!isAhead) reading = next()
  }
}

/** For `isIn`: up to a position, and with it. */
export const upTo =
  (last: Position) =>
  ({ position }: { readonly position: Position }): boolean =>
    position <= last

const all = () => true
