// Making text unreadable in stores whose files are ours. Only the embedded stores can: on servers an event cannot be changed, and
// personal text is sealed there under a key that is destroyed. Checked by test/stores/embedded-erasure.test.ts.

import type { EventMeta, JsonObject, Position, StoredEvent } from '../../domain/event.ts'

/** An event that keeps its position, stream, revision, id and type, and gets other data and metadata. */
export interface RewrittenEvent {
  readonly position: Position
  readonly data: JsonObject
  readonly meta: EventMeta
}

/** One step of a search through the part of a log that older versions wrote. */
export interface OlderEvents {
  /** Those found, as they are stored: personal text of them may be in clear. */
  readonly events: readonly StoredEvent[]
  /** Where the next step goes on; null where there is nothing more to search. */
  readonly next: Position | null
}

export interface Purge {
  /**
   * Resolves when no file of the store holds a byte of anything that was overwritten or deleted before the call: also not in a
   * write-ahead file or a free page. It blocks the event loop for one sync. Rejects where the disk fails.
   */
  purge(): Promise<void>
}

export interface LogErasure extends Purge {
  /**
   * Puts other data and metadata in the place of what was recorded, durably, all or none of one call. Each read after it gives
   * the new ones. At most some hundred events a call: others wait for it. Text of them is gone from the file after `purge`.
   * Rejects with a TypeError, and changes nothing, where one of the positions has no event.
   */
  rewriteEvents(events: readonly RewrittenEvent[]): Promise<void>
  /**
   * Searches the next `limit` events of a game after a position (null: from the beginning) that were written before all personal
   * text was sealed, and gives those that name the player's id anywhere. A log that was begun by this version has none.
   */
  olderEvents(owner: EventOwner, after: Position | null, limit: number): Promise<OlderEvents>
}

export interface EventOwner {
  readonly game: string
  readonly player: string
}

/** Where events cannot be changed, but whole streams can be removed: a server drops their bytes when it is scavenged. */
export interface StreamErasure {
  /** Nothing is read from it, and nothing can be appended, from then on. May be done again, and of a stream that never was. */
  deleteStream(stream: string): Promise<void>
  /** Its events before a revision are not read from it any more. May be done again. */
  truncateStream(stream: string, before: number): Promise<void>
}
