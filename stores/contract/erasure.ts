// Erases text from stores. Only the embedded stores can rewrite their files; on a server an event cannot be changed,
// so personal text is encrypted there under a key that is destroyed. test/stores/embedded-erasure.full.ts checks this
// contract.

import type { EventMeta, JsonObject, Position, StoredEvent } from '../../domain/event.ts'

/** An event that keeps its position, stream, revision, id and type, and gets other data and metadata. */
export interface RewrittenEvent {
  readonly position: Position
  readonly data: JsonObject
  readonly meta: EventMeta
}

/** One page of a search through the events that older versions wrote. */
export interface OlderEvents {
  /** The matches as stored: their personal text may be unencrypted. */
  readonly events: readonly StoredEvent[]
  /** Position to continue from; null at the end of the search. */
  readonly next: Position | null
}

export interface Purge {
  /**
   * Resolves when no file of the store, including its write-ahead file and free pages, holds a byte that was
   * overwritten or deleted before the call. Blocks the event loop for one sync. Rejects if the disk fails.
   */
  purge(): Promise<void>
}

export interface LogErasure extends Purge {
  /**
   * Replaces the data and metadata of events, durably and atomically per call. Later reads return the new values. Pass
   * at most a few hundred events: other writers wait meanwhile. The old text leaves the file with the next `purge`.
   * Rejects with a TypeError and changes nothing if a position has no event.
   */
  rewriteEvents(events: readonly RewrittenEvent[]): Promise<void>
  /**
   * Searches the next `limit` events of a game after a position (null: from the beginning) that were written before
   * personal text was encrypted. Returns those that contain the player's id anywhere. A log created by this version has
   * none.
   */
  olderEvents(owner: EventOwner, after: Position | null, limit: number): Promise<OlderEvents>
}

export interface EventOwner {
  readonly game: string
  readonly player: string
}

/**
 * For servers where events cannot be changed but streams can be removed. The server frees the bytes when it is
 * scavenged.
 */
export interface StreamErasure {
  /** Afterwards the stream reads as empty and takes no appends. Idempotent; the stream need not exist. */
  deleteStream(stream: string): Promise<void>
  /** Hides the events before a revision from reads of the stream. Idempotent. */
  truncateStream(stream: string, before: number): Promise<void>
}
