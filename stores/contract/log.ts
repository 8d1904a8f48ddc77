// The log: streams of events with exact revisions, and one order over all of them. Every promise here is checked by
// test/contracts/log.ts, which each adapter signs.

import type { NewEvent, Position, StoredEvent } from '../../domain/event.ts'

/** For so long a log on a server tries to append; what has no answer by then may have been recorded. */
export const APPEND_DEADLINE_MS = 5_000

/** The revision of the last event of the stream, or 'none' where the stream must not exist. There is no "any". */
export type Expected = number | 'none'

export type AppendResult =
  /** Durable. `revision` and `position` are those of the last event of this append. */
  | { readonly kind: 'appended'; readonly revision: number; readonly position: Position }
  /** The stream stands elsewhere; nothing was written. */
  | { readonly kind: 'conflict' }

/** An append that no log takes as it is: nothing was sent. `tooLarge` where fewer events at once may do. */
export class NotSent extends Error {
  readonly tooLarge: boolean
  constructor(message: string, tooLarge = false) {
    super(message)
    this.name = 'NotSent'
    this.tooLarge = tooLarge
  }
}

/** An event of a game whose removal has begun. */
export class OfDeletedGame extends NotSent {}

/** The log takes no appends, by its rights or on a full disk: nothing was written. Only an operator can change that. */
export class AppendDenied extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'AppendDenied'
  }
}

/** Everywhere a `limit` below 1 is a RangeError. */
export interface Log {
  /**
   * Appends all events or none, durably before it answers. The same events (by id) sent again at the same expected
   * revision are acknowledged again with their original revision and position, and nothing is written; so are the first
   * of them alone. Two copies sent at once: one at least is answered, and a repeat of the other is.
   * NotSent where it was not let near the log, AppendDenied where the log refuses it: nothing was written. Any other
   * rejection means that the outcome is unknown: send the same
   * events at the same revision again. It always settles: an adapter whose client may fall silent has a timer of its
   * own. Appends begun one after the other, without waiting, come to stand in the log in that order where none of them
   * fails. At least one event; at most 512 KiB of data and metadata together.
   */
  append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<AppendResult>

  /** Events of one stream from revision `from` (inclusive), in order, at most `limit`. A missing stream is empty. */
  readStream(stream: string, from: number, limit: number): Promise<StoredEvent[]>

  /** Events after a position (null: from the beginning), in log order, at most `limit`. Only durable ones. */
  readAll(after: Position | null, limit: number): Promise<StoredEvent[]>

  /** The event exactly at a position, or null where the log has none there. */
  eventAt(position: Position): Promise<StoredEvent | null>

  /** The position of the last durable event, or null while the log is empty. */
  head(): Promise<Position | null>

  /**
   * All events after a position, history first and then new ones as they become durable, in log order, each exactly
   * once, in non-empty batches of at most `limit`. Ends when the signal aborts. Throws where the subscription broke:
   * open another one after the last position handled.
   */
  subscribe(after: Position | null, limit: number, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>

  close(): Promise<void>
}
