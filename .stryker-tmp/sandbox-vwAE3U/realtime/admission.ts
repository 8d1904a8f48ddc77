// Whom a ticket lets into the rooms.

import type { RoomEntry } from '../access/room-entry.ts'
import type { RoomHolder } from '../commands/room-ticket.ts'

/** Who was let in by a ticket. */
export interface Redeemed {
  readonly holder: RoomHolder
  readonly entry: RoomEntry
}

export interface Admission extends Redeemed {
  /** The network address that they come from. */
  readonly network: string
  /** The same, where rooms are counted by it; else null. */
  readonly address: string | null
}
