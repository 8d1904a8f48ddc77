// The newest durable events in memory, so that live subscribers need not read and parse them from the file. Bounded
// by count and bytes; older events are read from the file.

import type { StoredEvent } from '../../domain/event.ts'
import { parsePosition } from './log-position.ts'

const MAX_EVENTS = 4_096
const MAX_BYTES = 16 * 1024 * 1024

/** An event with its index in the log and the size of its JSON. */
export interface RecentEvent {
  readonly at: number
  readonly bytes: number
  readonly event: StoredEvent
}

export interface RecentEvents {
  /** Adds the next events. Their indexes continue those already stored, without gaps. */
  push(events: readonly RecentEvent[]): void
  /** Replaces the stored events at the same positions. */
  replace(events: readonly StoredEvent[]): void
  /** At most `limit` events after an index; null if some of them are no longer stored. */
  after(at: number, limit: number): StoredEvent[] | null
}

/** Creates an empty buffer. `head`: index of the last event before the first one to be added. */
export function createRecentEvents(head: number): RecentEvents {
  const ring: (RecentEvent | undefined)[] = new Array(MAX_EVENTS)
  // The ring covers the positions first … last; position p is in slot p modulo its length.
  let first = head + 1
  let last = head
  let bytes = 0

  function push(events: readonly RecentEvent[]): void {
    for (const added of events) {
      if (last - first + 1 === MAX_EVENTS) dropFirst()
      last = added.at
      ring[last % MAX_EVENTS] = added
      bytes += added.bytes
      while (bytes > MAX_BYTES) dropFirst()
    }
  }

  function dropFirst(): void {
    bytes -= ring[first % MAX_EVENTS]?.bytes ?? 0
    ring[first % MAX_EVENTS] = undefined
    first += 1
  }

  function replace(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const at = parsePosition(event.position) ?? 0
      const slot = at % MAX_EVENTS
      const entry = ring[slot]
      if (entry?.at === at) ring[slot] = { ...entry, event }
    }
  }

  function after(at: number, limit: number): StoredEvent[] | null {
    if (at + 1 < first) return null
    const events: StoredEvent[] = []
    const end = Math.min(last, at + limit)
    for (let index = at + 1; index <= end; index += 1) {
      const entry = ring[index % MAX_EVENTS]
      if (entry !== undefined) events.push(entry.event)
    }
    return events
  }

  return { push, replace, after }
}
