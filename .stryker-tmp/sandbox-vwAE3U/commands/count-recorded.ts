// How many bytes a call has recorded, counted as commands append its events: for limits on what a player and a game may
// record. The number is an estimate that costs next to nothing, and is the same on every store.

import type { DomainEvent } from '../domain/decider.ts'

/** Counted for each event beside its data: its ids, metadata and places in indexes. */
export const EVENT_BYTES = 512
/** Counted for each number, boolean and null. */
const VALUE_BYTES = 8

/** What one call records, and to whom it counts beside the game. */
export interface Tally {
  bytes: number
  /** Null: to the game alone. */
  readonly player: string | null
  /** Counts the call to a player who has just signed in. Throws 429 `recording_limit` where they have no bytes left. */
  countTo(player: string): void
}

/** What an event counts: `EVENT_BYTES`, and the UTF-8 bytes of the texts in its data. O(data). */
export const eventBytes = (data: unknown): number => EVENT_BYTES + dataBytes(data)

/** Of a command's intent. */
interface Counting {
  readonly tally?: Tally
  readonly call: string | null
}

/** A call that changed nothing is recorded too, where it is remembered. */
export function countRecorded({ tally, call }: Counting, events: readonly DomainEvent[]): void {
  if (tally === undefined) return
  for (const { data } of events) tally.bytes += eventBytes(data)
  if (events.length === 0 && call !== null) tally.bytes += EVENT_BYTES
}

function dataBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return VALUE_BYTES
  let bytes = 0
  for (const inner of Object.values(value)) bytes += dataBytes(inner)
  return bytes
}
