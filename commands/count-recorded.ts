// Counts the bytes that a call records, for the limits of players and games. The number is a cheap estimate and the
// same for every store.

import type { DomainEvent } from '../domain/decider.ts'

/** Bytes counted for each event in addition to its data: ids, metadata and index entries. */
export const EVENT_BYTES = 512
/** Bytes counted for each number, boolean and null. */
const VALUE_BYTES = 8

/** The bytes that one call records, and the player whose limit they count against in addition to the game's. */
export interface CallUsage {
  bytes: number
  /** Null: they count against the game only. */
  readonly player: string | null
  /** Charges the call to a player who has just signed in. Throws 429 `recording_limit` if they have no bytes left. */
  chargePlayer(player: string): void
}

/** The bytes counted for an event: `EVENT_BYTES` and the UTF-8 bytes of its data. O(data). */
export const eventBytes = (data: unknown): number => EVENT_BYTES + dataBytes(data)

/** The part of a `CommandContext` that is needed here. */
interface Counting {
  readonly usage?: CallUsage | undefined
  readonly call: string | null
}

/** Counts a call that changed nothing too, if an event records it. */
export function countRecorded({ usage, call }: Counting, events: readonly DomainEvent[]): void {
  if (usage === undefined) return
  for (const { data } of events) usage.bytes += eventBytes(data)
  if (events.length === 0 && call !== null) usage.bytes += EVENT_BYTES
}

function dataBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return VALUE_BYTES
  let bytes = 0
  for (const inner of Object.values(value)) bytes += dataBytes(inner)
  return bytes
}
