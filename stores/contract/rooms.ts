// Rooms: who sits where, the one order of each room, and its delivery to every node with members there. Forgetful: what
// is lost is void for all at once, never half. Every promise here is checked by test/contracts/rooms.ts, which each
// adapter signs.

import type { FixedRoom } from '../../domain/game.ts'

/** A node beats as often; two beats may fail before it is dead. */
export const ROOMS_BEAT_MS = 2_000
/**
 * By the store's clock. The first beat of another node after so long a silence frees the seats of the silent one; so
 * does a node that enters. But where nobody beat for two thirds of it the store was away, and the first to beat gives
 * all as long again.
 */
export const ROOMS_DEAD_MS = 6_000
/** Messages of each room that are kept for `since`. */
export const ROOM_KEEPS = 64
/** A fixed room without members keeps its messages and `seq` as long. */
export const EMPTY_ROOM_KEPT_MS = 60 * 60 * 1000
/** The reason told of members whose node died or ended. */
export const NODE_LOST = 'node_lost'

/** Why no room is made: as many are open of the game, of those that this player made, or of those of this network. */
export type MakingRefusal = 'too_many_rooms' | 'too_many_rooms_of_player' | 'too_many_rooms_of_network'
export type RoomRefusal = MakingRefusal | 'room_not_found' | 'room_full' | 'not_in_room' | 'member_not_found'

/** One member's place. The server makes the ids: a member's is of this seat alone, and given to no other ever. */
export interface Seat {
  readonly game: string
  readonly room: string
  readonly member: string
}

export interface Member {
  readonly member: string
  readonly player: { readonly id: string; readonly name: string } | null
}

export interface Message {
  /** The sender's member id. */
  readonly from: string
  /** The payload as JSON text: never parsed here. */
  readonly data: string
  readonly seq: number
  /** Unix milliseconds by the store's clock. */
  readonly sentAtMs: number
}

/** One happening in a room, told to each node with members there. `member` in `left` and those of `direct` are ids. */
export type RoomEvent = { readonly game: string; readonly room: string } & (
  | ({ readonly type: 'message' } & Message)
  | {
      /** To `to` and `from` alone; told to their nodes, once to each. */
      readonly type: 'direct'
      readonly from: string
      readonly to: string
      readonly data: string
      readonly sentAtMs: number
    }
  | ({ readonly type: 'joined' } & Member)
  | { readonly type: 'left'; readonly member: string; readonly reason: string }
)

export interface RoomRecord {
  readonly id: string
  readonly name: string
  readonly members: number
  readonly max_members: number
  readonly fixed: boolean
}

export interface Joined {
  readonly room: RoomRecord
  /** In the order of joining, oneself last. */
  readonly members: readonly Member[]
  /**
   * The last one used. A room that was made begins at 0, a fixed one at the time (ms), so that no order repeats an
   * older one's.
   */
  readonly seq: number
  /**
   * The messages after `since`, oldest first; null where no `since` was given, or they are no more kept, or it is not
   * of this order.
   */
  readonly missed: readonly Message[] | null
}

/**
 * Called once, at the joining's own place in the room's order: the events of the room heard after it are for the new
 * member, those heard before it are not. Its own `joined` event comes right before. Must not throw.
 */
export type Seated = (joined: Joined) => void

export interface Joining extends Seat {
  readonly player: Member['player']
  /** The last `seq` seen, or null. */
  readonly since: number | null
  /** The room as the game's settings have it, where it is fixed; null where they name no such room. */
  readonly fixed: FixedRoom | null
}

/** A room with its first member. `room` is a new id. */
export interface Making extends Seat {
  readonly player: Member['player']
  readonly name: string
  readonly maxMembers: number
  readonly listed: boolean
  /** How many rooms of the game there may be, fixed ones not counted. */
  readonly maxRooms: number
  /** Of these, how many may be open that `player` made; without a player, none is counted. */
  readonly maxRoomsOfPlayer: number
  /** The network address that makes it; null: it is not counted. */
  readonly network: string | null
  /** How many may be open, of all games, that were made from this network address. */
  readonly maxRoomsOfNetwork: number
}

export interface Hearing {
  /**
   * Called for each event of a room from the first seat of this node there to the last one, in one order per room that
   * is the same on all nodes, `seq` without holes. Must not throw.
   */
  heard(event: RoomEvent): void
  /**
   * All seats of this node are gone, and its messages may have a gap: it was silent for too long, missed
   * something, or the store was emptied or restarted. Whoever sat there is to be cut, at once.
   * The node goes on without seats.
   */
  lost(why: string): void
}

/**
 * One process as a node. Calls reject with StoreAway where the store does not answer; then nothing is known. A join
 * that rejected, or whose node lost its seats meanwhile, leaves no seat for longer than it takes to reach the store
 * again.
 */
export interface RoomsNode {
  /** To be called every ROOMS_BEAT_MS. It also clears away what dead nodes left. Rejecting is no harm by itself. */
  beat(): Promise<void>
  /**
   * Resolves to null after `seated` was called, or to the refusal. Never more rooms than the three limits say: a room
   * counts for its game, the player and the network that made it from here until it ends, even if they have left it.
   */
  create(making: Making, seated: Seated): Promise<MakingRefusal | null>
  /**
   * The same for a room that is there. Never more members than its limit: a fixed room's is the one given here, and
   * where the settings lower it, nobody is put out. A fixed room that the settings name no more takes no one in;
   * present members may stay.
   */
  join(joining: Joining, seated: Seated): Promise<'room_not_found' | 'room_full' | null>
  /**
   * True where the member sat there. Others hear `left`; a room that is not fixed ends with its last member. Where it
   * rejects, it is tried again with each beat until it is done: the server may forget the member. One whose join is not
   * settled cannot leave.
   */
  leave(seat: Seat, reason: string): Promise<boolean>
  /** The message's place; every member hears it, the sender too. `data` is JSON text. */
  send(seat: Seat, data: string): Promise<Sent | 'not_in_room'>
  /** To one member only, beside the order: no `seq`, never told again. */
  sendTo(seat: Seat, to: string, data: string): Promise<SentTo | 'not_in_room' | 'member_not_found'>
  /** All its seats are free at once, and others hear so. Calls after it reject. */
  close(): Promise<void>
}

export interface Sent {
  readonly seq: number
  readonly sentAtMs: number
}

export type SentTo = Pick<Sent, 'sentAtMs'>

export interface RoomsAsked {
  readonly game: string
  /** Part of a name, by `foldedName`; empty: all. */
  readonly search: string
  readonly limit: number
  readonly offset: number
  /** The game's, as its settings have them: those that are listed stand first, in their order. */
  readonly fixed: readonly FixedRoom[]
}

export interface RoomsFound {
  /** Listed rooms, in the order of making. */
  readonly rooms: readonly RoomRecord[]
  /** Of all that match. */
  readonly count: number
}

export interface Rooms {
  /** Makes this process a node without seats. */
  enter(hearing: Hearing): Promise<RoomsNode>
  list(asked: RoomsAsked): Promise<RoomsFound>
  /** Removes a game's fixed rooms that are empty, with their messages. Other rooms end with their last member. */
  forget(game: string): Promise<void>
}
