// The interface that each export format implements.

import type { StoredEvent } from '../domain/event.ts'

export interface Encoder {
  /** What stands before the first event. */
  begin(): Uint8Array[]
  /** What can be written by now: with lines, one piece a line; else pieces of any size. */
  events(events: readonly StoredEvent[]): Uint8Array[]
  /** The rest. */
  end(): Uint8Array[]
}
