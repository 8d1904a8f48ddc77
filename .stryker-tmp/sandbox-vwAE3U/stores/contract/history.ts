// Reads the history of one game or one board without the rest of the log. EventStoreDB has no index for this, so a
// view replaces it (projections/history.ts). test/contracts/history.ts checks this contract.

import type { JsonObject, Position, StoredEvent } from '../../domain/event.ts'

export type HistoryFilter = { readonly game: string } | { readonly board: string }

/**
 * Events of the game or board after a position (null: from the beginning), in log order, at most `limit`. A `limit`
 * below 1 is a RangeError.
 */
export type HistoryPart<Event> = (filter: HistoryFilter, after: Position | null, limit: number) => Promise<Event[]>

/** If it is a view, it may lag behind the log. */
export interface History {
  readonly part: HistoryPart<StoredEvent>
  /**
   * The `count`-th event after a position, without reading those in between; null if there are fewer.
   * A `count` below 1 is a RangeError.
   */
  nth(filter: HistoryFilter, after: Position | null, count: number): Promise<StoredEvent | null>
  /** As `part`, but leaves personal text encrypted. Present if decrypting costs time; for callers that do not need the text. */
  readonly unopened?: HistoryPart<StoredEvent>
  /** As `unopened`, with fewer fields per event and much faster. Present if the store supports it. */
  readonly brief?: HistoryPart<BriefEvent>
}

export interface BriefEvent extends Pick<StoredEvent, 'type' | 'stream' | 'revision' | 'position'> {
  readonly data: JsonObject
  /** JSON text; callers parse it if they need it. */
  readonly meta: string
}
