// The newest durable events in memory, so that live subscribers need not read and parse them from the file. Bounded
// by count and bytes; older events are read from the file.

import type { StoredEvent } from '../../domain/event.ts'
import { placeOf } from './log-position.ts'

const MAX_EVENTS = 4_096
const MAX_BYTES = 16 * 1024 * 1024

/** An event with its place in the log as a number, and the size of its JSON. */
export interface RecentEvent {
  readonly at: number
  readonly bytes: number
  readonly event: StoredEvent
}

export interface RecentEvents {
  /** Adds the next events. Their places follow each other and those already here. */
  push(events: readonly RecentEvent[]): void
  /** Puts these in the place of those at the same positions, where those are here. */
  replace(events: readonly StoredEvent[]): void
  /** At most `limit` events after a place, or null where some of them are no longer here. */
  after(at: number, limit: number): StoredEvent[] | null
}

/** Empty, with `head` as the place of the last event before those that will come. */
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
      const at = placeOf(event.position) ?? 0
      const slot = at % MAX_EVENTS
      const held = ring[slot]
      if (held?.at === at) ring[slot] = { ...held, event }
    }
  }

  function after(at: number, limit: number): StoredEvent[] | null {
    if (at + 1 < first) return null
    const events: StoredEvent[] = []
    const end = Math.min(last, at + limit)
    for (let place = at + 1; place <= end; place += 1) {
      const held = ring[place % MAX_EVENTS]
      if (held !== undefined) events.push(held.event)
    }
    return events
  }

  return { push, replace, after }
}
