// The history of one game or one board, read without the rest of the log. A log that has no index for it (EventStoreDB) has
// a view in its place (projections/history.ts). Checked by test/contracts/history.ts.

import type { JsonObject, Position, StoredEvent } from '../../domain/event.ts'
import { turn } from './turn.ts'

export type HistoryFilter = { readonly game: string } | { readonly board: string }

/**
 * Events of the game or board after a position (null: from the beginning), in log order, at most `limit`. A `limit`
 * below 1 is a RangeError.
 */
export type HistoryPart<Event> = (filter: HistoryFilter, after: Position | null, limit: number) => Promise<Event[]>

/** Where it is a view it may stand behind the log, as every view may. */
export interface History {
  readonly part: HistoryPart<StoredEvent>
  /**
   * The last of the next `count` events after a position, without reading those before it; null where there are fewer.
   * A `count` below 1 is a RangeError.
   */
  nth(filter: HistoryFilter, after: Position | null, count: number): Promise<StoredEvent | null>
  /** As `part`, with personal text left sealed, where opening it is work: for who needs none of it. */
  readonly unopened?: HistoryPart<StoredEvent>
  /** As `unopened`, less of each event, in a fraction of the time: where the store has a way. */
  readonly brief?: HistoryPart<BriefEvent>
}

export interface BriefEvent extends Pick<StoredEvent, 'type' | 'stream' | 'revision' | 'position'> {
  readonly data: JsonObject
  /** As JSON: parsed by who needs it. */
  readonly meta: string
}

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
  between: () => Promise<void> = turn,
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
