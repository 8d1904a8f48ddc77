// The log: streams of events with exact revisions, and one total order over all of them. test/contracts/log.suite.ts
// checks every promise here; each adapter runs it.

import type { NewEvent, Position, StoredEvent } from '../../domain/event.ts'

/** How long an append to a server may take. An append without an answer by then may have been recorded. */
export const APPEND_DEADLINE_MS = 5_000

/**
 * The revision of the stream's last event, or 'none' if the stream must not exist. 'made' is 'none' for a stream whose
 * random id was made for this append: a log may leave out what only confirms that it is absent. There is no "any".
 */
export type Expected = number | 'none' | 'made'

export type AppendResult =
  /** Durable. `revision` and `position` are those of the last event of this append. */
  | { readonly kind: 'appended'; readonly revision: number; readonly position: Position }
  /** The stream is at another revision; nothing was written. */
  | { readonly kind: 'conflict' }

/** The append is invalid; nothing was sent. `tooLarge`: fewer events per append may succeed. */
export class NotSent extends Error {
  readonly tooLarge: boolean
  constructor(message: string, tooLarge = false) {
    super(message)
    this.name = 'NotSent'
    this.tooLarge = tooLarge
  }
}

/** The append contains an event of a game that is being erased. */
export class OfDeletedGame extends NotSent {}

/** The log denies appends: missing permissions or a full disk. Nothing was written; an operator must act. */
export class AppendDenied extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'AppendDenied'
  }
}

/** One append, with the arguments of `append`. */
export interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly NewEvent[]
}

/** In all methods, a `limit` below 1, a negative revision, or one of these that is not an integer is a RangeError. */
export interface Log {
  /**
   * Appends all events or none, and resolves when they are durable.
   *
   * Idempotent by event id: the same events, or the first of them alone, at the same expected revision are acknowledged
   * with their original revision and position, and nothing is written. Of two concurrent copies at least one is
   * acknowledged; a retry of the other one is too.
   *
   * Rejects with NotSent if the append is invalid and with AppendDenied if the log refuses it; nothing was written
   * then. After any other rejection the outcome is unknown: send the same events at the same revision again. The
   * promise always settles: adapters set their own timeout. Appends that start one after the other, without awaiting,
   * are in the log in that order if none of them fails. Takes at least one event, and at most 512 KiB of data and
   * metadata together.
   */
  append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<AppendResult>
  /**
   * Appends to different streams; each settles by itself, as `append`. They are in the log in this order if none of
   * them fails. Left out where `append` keeps the order of its calls: use `appendAll` of support/append-all.ts.
   */
  appendAll?(appends: readonly Append[]): readonly Promise<AppendResult>[]

  /** Events of one stream from revision `from` (inclusive), in order, at most `limit`. A missing stream is empty. */
  readStream(stream: string, from: number, limit: number): Promise<StoredEvent[]>

  /** Events after a position (null: from the beginning), in log order, at most `limit`. Only durable ones. */
  readAll(after: Position | null, limit: number): Promise<StoredEvent[]>

  /** The event exactly at a position, or null. */
  eventAt(position: Position): Promise<StoredEvent | null>

  /** The position of the last durable event, or null while the log is empty. */
  head(): Promise<Position | null>

  /**
   * All events after a position, first history, then new events as they become durable: in log order, each exactly
   * once, in non-empty batches of at most `limit`. Ends when the signal aborts. Throws if the subscription breaks:
   * subscribe again after the last position handled.
   */
  subscribe(after: Position | null, limit: number, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>

  close(): Promise<void>
}
