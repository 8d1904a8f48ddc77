// The history of one game or one board, read without the rest of the log. A log that has no index for it (EventStoreDB) has
// a view in its place (projections/history.ts). Checked by test/contracts/history.ts.

import type { JsonObject, Position, StoredEvent } from '../../domain/event.ts'

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
