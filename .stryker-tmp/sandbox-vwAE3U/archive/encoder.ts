// The interface that each export format implements.

import type { StoredEvent } from '../domain/event.ts'

export interface Encoder {
  /** What precedes the first event. */
  begin(): Uint8Array[]
  /** What can be written now: one piece per line, or pieces of any size in formats without lines. */
  events(events: readonly StoredEvent[]): Uint8Array[]
  /** The rest. */
  end(): Uint8Array[]
}
