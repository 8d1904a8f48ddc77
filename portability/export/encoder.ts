// The interface that each export format implements.

import type { StoredEvent } from '../../domain/event.ts'

export interface Encoder {
  /** The bytes before the first event. */
  begin(): Uint8Array[]
  /** The bytes that can be written now: one chunk per line, or chunks of any size in formats without lines. */
  events(events: readonly StoredEvent[]): Uint8Array[]
  /** The remaining bytes. */
  end(): Uint8Array[]
}
