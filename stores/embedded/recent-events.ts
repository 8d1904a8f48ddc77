// The newest durable events in memory, so that live subscribers need not read and parse them from the file. Bounded
// by count and bytes; older events are read from the file. Readers share the events, so they are frozen.

import type { StoredEvent } from '../../domain/event.ts'
import { requirePosition } from './log-schema.ts'

export const MAX_RECENT_EVENTS = 4_096
export const MAX_RECENT_BYTES = 16 * 1024 * 1024

/** An event with its sequence number and the size of its JSON. */
export interface RecentEvent {
  readonly sequence: number
  readonly bytes: number
  readonly event: StoredEvent
}

export interface RecentEvents {
  /** Adds the next events. Their sequence numbers continue those already stored, without gaps. */
  push(events: readonly RecentEvent[]): void
  /** Replaces the stored events at the same positions. */
  replace(events: readonly StoredEvent[]): void
  /** The events with these sequence numbers; null if some of them are not stored. */
  at(sequences: readonly number[]): StoredEvent[] | null
  /** At most `limit` events after a sequence number; null if some of them are no longer stored. */
  after(sequence: number, limit: number): StoredEvent[] | null
}

/** Creates an empty buffer. `head`: sequence number of the last event before the first one to be added. */
export function createRecentEvents(head: number): RecentEvents {
  const ring: (RecentEvent | undefined)[] = new Array(MAX_RECENT_EVENTS)
  // The ring covers the sequence numbers first … last; number n is in slot n modulo its length.
  let first = head + 1
  let last = head
  let bytes = 0

  function push(events: readonly RecentEvent[]): void {
    for (const added of events) {
      if (last - first + 1 === MAX_RECENT_EVENTS) dropFirst()
      last = added.sequence
      freeze(added.event)
      ring[last % MAX_RECENT_EVENTS] = added
      bytes += added.bytes
      while (bytes > MAX_RECENT_BYTES) dropFirst()
    }
  }

  function dropFirst(): void {
    bytes -= ring[first % MAX_RECENT_EVENTS]?.bytes ?? 0
    ring[first % MAX_RECENT_EVENTS] = undefined
    first += 1
  }

  function replace(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const sequence = requirePosition(event.position)
      const slot = sequence % MAX_RECENT_EVENTS
      const entry = ring[slot]
      if (entry?.sequence === sequence) ring[slot] = { ...entry, event: freeze(event) }
    }
  }

  function at(sequences: readonly number[]): StoredEvent[] | null {
    const events: StoredEvent[] = []
    for (const sequence of sequences) {
      const entry = ring[sequence % MAX_RECENT_EVENTS]
      if (entry?.sequence !== sequence) return null
      events.push(entry.event)
    }
    return events
  }

  function after(sequence: number, limit: number): StoredEvent[] | null {
    if (sequence + 1 < first) return null
    const events: StoredEvent[] = []
    const end = Math.min(last, sequence + limit)
    for (let next = sequence + 1; next <= end; next += 1) {
      const entry = ring[next % MAX_RECENT_EVENTS]
      if (entry !== undefined) events.push(entry.event)
    }
    return events
  }

  return { push, replace, at, after }
}

/** Freezes a value of JSON with everything in it. Its depth is bounded by JSON_MAX_DEPTH. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}
