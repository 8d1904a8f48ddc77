// Types of the rooms, as in the AsyncAPI document.

import type { RankedScore } from './score-shapes.ts'

export interface RoomInfo {
  readonly id: string
  readonly name: string
  readonly members: number
  readonly max_members: number
  readonly fixed: boolean
}

export interface RoomMember {
  readonly member: string
  readonly player: { readonly id: string; readonly name: string } | null
}

export interface RoomMessage {
  readonly room: string
  readonly from: string
  readonly data: unknown
  /** Null for a message to one member. */
  readonly seq: number | null
  readonly sent_at: string
}

export interface JoinedRoom {
  readonly room: RoomInfo
  readonly members: readonly RoomMember[]
  /** The own member id in this room. */
  readonly member: string
  readonly seq: number
  readonly missed: readonly RoomMessage[] | null
}

/**
 * Why a member left. `replaced`: their connection did not answer when their player joined again. Also the code of the
 * `closing` that ended their connection.
 */
export type MemberLeftReason =
  | 'left'
  | 'disconnected'
  | 'slow_consumer'
  | 'node_lost'
  | 'replaced'
  | (string & Record<never, never>)

/** Events by name: those from the server, and three of this library. */
export interface RoomsHeard {
  readonly rooms: { readonly rooms: readonly RoomInfo[]; readonly count: number }
  readonly joined: JoinedRoom
  /** `code`: why the room could not be joined again after the connection was lost. */
  readonly left: { readonly room: string; readonly code?: string }
  readonly member_joined: { readonly room: string } & RoomMember
  readonly member_left: { readonly room: string; readonly member: string; readonly reason: MemberLeftReason }
  readonly message: RoomMessage
  readonly refused: { readonly event: string; readonly code: string; readonly detail: string }
  /** `season`: only if the current season is watched. Comes again when the next season begins. */
  readonly board: {
    readonly leaderboard: string
    readonly season?: number
    readonly scores: readonly RankedScore[]
    readonly seq: number
  }
  readonly board_changed: {
    readonly leaderboard: string
    readonly season?: number
    readonly changes: readonly { readonly rank: number; readonly score: RankedScore | null }[]
    readonly seq: number
  }
  /** Also when the leaderboard, the open season that was watched, or the permission was removed. */
  readonly unwatched: { readonly leaderboard: string }
  /**
   * From this library: back in a room, after its missed messages. If `missed` is null, some are lost for this client.
   */
  readonly rejoined: JoinedRoom
  /** From this library: the connection was lost; it is being made again. */
  readonly disconnected: { readonly code: string | null }
  readonly closing: { readonly code: string; readonly detail: string }
}

/** The server rejected an event; `code` is one of the list in the AsyncAPI document, or `disconnected`. */
export class RoomsError extends Error {
  readonly code: string
  constructor(code: string, detail: string) {
    super(detail)
    this.name = 'RoomsError'
    this.code = code
  }
}
