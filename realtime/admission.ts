// The result of redeeming a ticket, and of admitting a connection.

import type { RoomEntry } from '../access/room-entry.ts'
import type { RoomHolder } from '../commands/room-ticket.ts'

/** The holder of a redeemed ticket and what they may do in the rooms. */
export interface Redeemed {
  readonly holder: RoomHolder
  readonly entry: RoomEntry
}

export interface Admission extends Redeemed {
  /** The client's network address. */
  readonly network: string
  /** The same address if limits per address are on; else null. */
  readonly address: string | null
}
