// Chat rooms: their members, the total order of events in each room, and delivery to every node with members there.
// Nothing is durable: data that the store loses is lost for all nodes at once, never for some.
// test/contracts/rooms.suite.ts checks every promise here; each adapter runs it.

import type { FixedRoom } from '../../domain/game.ts'

/** Heartbeat interval of a node: two heartbeats may fail before it is dead. */
export const ROOMS_BEAT_MS = 2_000
/**
 * A node without a heartbeat for this long, by the store's clock, is dead: the next heartbeat or entry of another node
 * frees its seats. Exception: if no node sent a heartbeat for two thirds of this time, the store was unavailable, and
 * the first heartbeat after that extends the deadline of all nodes.
 */
export const ROOMS_DEAD_MS = 6_000
/** Number of messages that each room keeps for `since`. */
export const ROOM_KEEPS = 64
/** How long a fixed room without members keeps its messages and `seq`. */
export const EMPTY_ROOM_KEPT_MS = 60 * 60 * 1000
/** `reason` of the `left` event for members whose node died or shut down. */
export const NODE_LOST = 'node_lost'

/**
 * `reason` of the `left` event for a member whose seat was freed because their connection did not answer. It also
 * reaches the node of that seat if it has no other one in the room.
 */
export const REPLACED = 'replaced'
/** A seat whose connection was asked this long ago, by the store's clock, and has not answered may be taken over. */
export const SEAT_SILENT_MS = 4_000
/** Seats of one player that one join asks for, the first to join first. */
export const SEATS_ASKED_MAX = 20

/** Why a room is not created: too many open rooms in the game, by the player, or from the network. */
export type MakingRefusal = 'too_many_rooms' | 'too_many_rooms_of_player' | 'too_many_rooms_of_network'
/** Why a connection gets no seat in an existing room. */
export type JoinRefusal = 'room_not_found' | 'room_full'
/** Why a connection cannot listen to a room. */
export type ListeningRefusal = 'room_not_found' | 'too_many_listeners'
export type RoomRefusal = MakingRefusal | ListeningRefusal | JoinRefusal | 'not_in_room' | 'member_not_found'

/** One member in one room. The server generates member ids: each belongs to one seat and is never reused. */
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
  /** The payload as JSON text, never parsed here. */
  readonly data: string
  readonly seq: number
  /** Unix milliseconds by the store's clock. */
  readonly sentAtMs: number
}

/**
 * An event in a room, delivered to each node with members or listeners there. `member` of `left`, and `from` and `to`
 * of `direct`, are ids.
 */
export type RoomEvent = { readonly game: string; readonly room: string } & (
  | ({ readonly type: 'message' } & Message)
  | {
      /** Visible to `to` and `from` only; delivered once to each of their nodes. */
      readonly type: 'direct'
      readonly from: string
      readonly to: string
      readonly data: string
      readonly sentAtMs: number
    }
  | ({ readonly type: 'joined' } & Member)
  | { readonly type: 'left'; readonly member: string; readonly reason: string }
  /**
   * The room has ended: its listeners on this node hear no more of it. Only for nodes with listeners there, after
   * `left`.
   */
  | { readonly type: 'ended' }
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
  /** In the order of joining; the new member is last. */
  readonly members: readonly Member[]
  /**
   * The last sequence number used. A created room starts at 0, a fixed one at the current time (ms), so that a
   * recreated fixed room never repeats a number.
   */
  readonly seq: number
  /**
   * The messages after `since`, oldest first; null if `since` is null, is not a number of this room, or if some of the
   * messages are no longer kept.
   */
  readonly missed: readonly Message[] | null
}

/**
 * Called once, at the position of the join in the order of the room: the new member receives the events after it and
 * none of those before it. Its own `joined` event comes directly before. Must not throw.
 */
export type Seated = (joined: Joined) => void

export interface Joining extends Seat {
  readonly player: Member['player']
  /** The last `seq` seen, or null. */
  readonly since: number | null
  /** The fixed room from the game's settings; null if they have no such room. */
  readonly fixed: FixedRoom | null
  /** Whether the connections of the player's other seats in the room are asked if they still answer. */
  readonly asks: boolean
}

/** Request to hear a room without a seat. `member` identifies the listener and is shown to nobody. */
export interface Listening extends Seat {
  /** As of `Joining`. */
  readonly fixed: FixedRoom | null
  /** Limit of listeners of the room, on all nodes. */
  readonly maxListeners: number
}

/** Request to create a room with its first member. `room` is a new id. */
export interface Making extends Seat {
  readonly player: Member['player']
  readonly name: string
  readonly maxMembers: number
  readonly listed: boolean
  /** Limit of open rooms in the game, without fixed ones. */
  readonly maxRooms: number
  /** Limit of open rooms that `player` created; ignored without a player. */
  readonly maxRoomsOfPlayer: number
  /** The network address of the creator; null: not counted. */
  readonly network: string | null
  /** Limit of open rooms, over all games, created from this network address. */
  readonly maxRoomsOfNetwork: number
}

export interface Hearing {
  /**
   * Called for each event of a room while this node has members or listeners there. The order per room is the same on
   * all nodes, and `seq` has no gaps. Must not throw.
   */
  heard(event: RoomEvent): void
  /**
   * Called when all seats of this node are lost, because it missed heartbeats or events, or the store was emptied or
   * restarted. The last events may be missing. The caller must disconnect the affected members at once; the node
   * continues without seats.
   */
  lost(reason: string): void
  /**
   * Called when the player of this seat, which is on this node, joins the room again: the node finds out whether the
   * connection of the seat answers, and calls `answered`, or else `leave` with REPLACED. Must not throw.
   */
  asked(seat: Seat): void
}

/**
 * This process as a node. Calls reject with StoreUnavailable if the store does not answer; their outcome is unknown
 * then. If a join rejects, or its node loses its seats meanwhile, the seat is freed as soon as the store answers again.
 */
export interface RoomsNode {
  /**
   * Heartbeat; call it every ROOMS_BEAT_MS. It also removes the seats of dead nodes. A single rejection is harmless.
   */
  heartbeat(): Promise<void>
  /**
   * Resolves to null after `seated` was called, or to the refusal. Never exceeds the three limits. A room counts for
   * its game, creator and network until it ends, even after the creator left it.
   */
  create(making: Making, seated: Seated): Promise<MakingRefusal | null>
  /**
   * Joins an existing room. Never exceeds its member limit. For a fixed room the limit is the one given here; lowering
   * it removes nobody. A fixed room that is no longer in the settings takes no new members; those in it may stay.
   *
   * In a full room it takes over a seat of the same player that was asked SEAT_SILENT_MS ago and has not answered: that
   * member leaves with REPLACED directly before the new one joins. `seats_asked`: the room is full, and a seat of the
   * player was asked and may still answer. The caller joins again, without `asks`, until the outcome is another one.
   */
  join(joining: Joining, seated: Seated): Promise<JoinRefusal | 'seats_asked' | null>
  /** The connection of a seat has answered: the seat is not taken over, until it is asked again. */
  answered(seat: Seat): Promise<void>
  /**
   * Hears an existing room: a listener has no seat, is no member, and does not keep the room open. Never exceeds the
   * limit of listeners. `seated` is called once, at the position from which the listener hears all events; `missed` is
   * null there.
   */
  listen(listening: Listening, seated: Seated): Promise<ListeningRefusal | null>
  /**
   * Resolves to true if the member was in the room. The others receive `left`; a room that is not fixed ends with its
   * last member. If it rejects, the node retries with each heartbeat, so the caller can forget the member. Call it only
   * after the join has settled. A listener leaves in the same way, and nobody receives `left`.
   */
  leave(seat: Seat, reason: string): Promise<boolean>
  /** Sends to every member, including the sender. `data` is JSON text. Returns the message's `seq` and time. */
  send(seat: Seat, data: string): Promise<Sent | 'not_in_room'>
  /** Sends to one member, outside the order of the room: without `seq`, and never replayed. */
  sendTo(seat: Seat, to: string, data: string): Promise<SentTo | 'not_in_room' | 'member_not_found'>
  /** Frees all seats of the node at once and notifies the others. Later calls reject. */
  close(): Promise<void>
}

export interface Sent {
  readonly seq: number
  readonly sentAtMs: number
}

type SentTo = Pick<Sent, 'sentAtMs'>

export interface RoomsQuery {
  readonly game: string
  /** Substring of the room name, compared by `caselessName`; empty: all. */
  readonly search: string
  readonly limit: number
  readonly offset: number
  /** The fixed rooms from the game's settings; the listed ones come first, in this order. */
  readonly fixed: readonly FixedRoom[]
}

export interface RoomsPage {
  /** Listed rooms, in the order of creation. */
  readonly rooms: readonly RoomRecord[]
  /** Number of all matches. */
  readonly count: number
}

export interface RoomWithMembers extends Omit<RoomRecord, 'members'> {
  /** In the order of joining. */
  readonly members: readonly Member[]
}

export interface WholeRoomsQuery extends Omit<RoomsQuery, 'search'> {
  /** The page ends before the room that would bring its members over this number; it has one room at least. */
  readonly maxMembers: number
}

export interface WholeRoomsPage {
  /** All rooms, also unlisted ones: the fixed rooms in the order given, then the others in the order of creation. */
  readonly rooms: readonly RoomWithMembers[]
  readonly count: number
  /** The offset of the first room after the page. */
  readonly next: number
}

export interface Rooms {
  /** Registers this process as a node without seats. */
  enter(hearing: Hearing): Promise<RoomsNode>
  list(query: RoomsQuery): Promise<RoomsPage>
  /**
   * Rooms with their members. Each room is one state; a room that ends during the call may be missing from the page.
   */
  listWhole(query: WholeRoomsQuery): Promise<WholeRoomsPage>
  /** Removes a game's empty fixed rooms with their messages. Other rooms end with their last member. */
  forget(game: string): Promise<void>
}
