// Reads the history of one game or one board without the rest of the log. EventStoreDB has no index for this, so a
// view replaces it (projections/history.ts). test/contracts/history.suite.ts checks this contract.

import type { JsonObject, Position, StoredEvent } from '../../domain/event.ts'
import type { EventPlace } from '../../domain/stream-revisions.ts'

export type HistoryFilter = { readonly game: string } | { readonly board: string }

/**
 * Events of the game or board after a position (null: from the beginning), in log order, at most `limit`. A `limit`
 * below 1 is a RangeError.
 */
export type HistoryPart<Event> = (filter: HistoryFilter, after: Position | null, limit: number) => Promise<Event[]>

/** A range of a log: after a position (null: from the beginning), up to and including another. */
export interface PositionRange {
  readonly after: Position | null
  readonly upTo: Position
}

/** A half-open range of event times: ISO 8601, UTC, milliseconds. Null: without this bound. */
export interface TimeRange {
  readonly since: string | null
  readonly until: string | null
}

/** If it is a view, it may lag behind the log. */
export interface History {
  readonly part: HistoryPart<StoredEvent>
  /**
   * Skips events by their times without reading them. Returns `after` or a later position in the range: no event of the
   * game after `after`, up to and including that position, has a time in `times`. Each call examines a bounded number
   * of index entries: call it again from there, until it returns its `after` or `upTo`. Not all events that could be
   * skipped are. The history must be complete up to `upTo`.
   */
  skip(game: string, positions: PositionRange, times: TimeRange): Promise<Position | null>
  /**
   * The `count`-th event after a position, without reading those in between; null if there are fewer.
   * A `count` below 1 is a RangeError.
   */
  nth(filter: HistoryFilter, after: Position | null, count: number): Promise<StoredEvent | null>
  /**
   * As `part`, but leaves personal text encrypted. Present if decrypting costs time; for callers that do not need the
   * text.
   */
  readonly unopened?: HistoryPart<StoredEvent>
  /** As `unopened`, with fewer fields per event and much faster. Present if the store supports it. */
  readonly brief?: HistoryPart<BriefEvent>
}

export interface BriefEvent extends Pick<StoredEvent, 'type' | 'stream' | 'revision' | 'position'> {
  readonly data: JsonObject
  /** JSON text; callers parse it if they need it. */
  readonly meta: string
}

/**
 * Reads the revisions of a log as stored, to check that each stream has them without gap and duplicate. A log on a
 * server needs no such check: the server assigns the revisions.
 */
export interface LogRevisions {
  /** Events after a position (null: from the beginning), in log order, at most `limit`, without their data. */
  places(after: Position | null, limit: number): Promise<EventPlace[]>
  /**
   * Of each repair of this log: the first event that got another revision, with the one it has now. A copy of the log
   * in which one of these events has another revision is from before that repair.
   */
  repaired(): Promise<readonly EventPlace[]>
}
