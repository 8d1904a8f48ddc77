// The rooms of a game. The caller passes `io` of `socket.io-client`, so that games without rooms do not need it. A lost
// connection is made again with a new ticket: rooms are joined again, missed messages come once and in order.

import type { JoinedRoom, RoomMessage, RoomsHeard } from './room-shapes.ts'
import type { Io } from './rooms-connection.ts'
import { RoomsSession } from './rooms-session.ts'
import type { RankedScore } from './score-shapes.ts'
import type { RoomTicket } from './shapes.ts'

export type { JoinedRoom, MemberLeftReason, RoomInfo, RoomMember, RoomMessage, RoomsHeard } from './room-shapes.ts'
export { RoomsError } from './room-shapes.ts'
export type { Io, IoSocket } from './rooms-connection.ts'

/** A player's client, or whatever else gets tickets. */
export interface TicketHolder {
  /** A new ticket for each connection. */
  roomTicket(): Promise<RoomTicket>
}

export interface WatchOptions {
  readonly season?: 'current'
}

export interface RoomsClient {
  /** The rooms that are listed, with their numbers of members. */
  list(filter?: {
    readonly search?: string
    readonly limit?: number
    readonly offset?: number
  }): Promise<RoomsHeard['rooms']>
  /** Makes a room and joins it. */
  create(options: {
    readonly name: string
    readonly max_members?: number
    readonly listed?: boolean
  }): Promise<JoinedRoom>
  /** `since`: the last `seq` seen before this page load. After lost connections it is sent automatically. */
  join(room: string, since?: number): Promise<JoinedRoom>
  /** Gives up the seat in a room. */
  leave(room: string): Promise<{ readonly room: string }>
  /** Sends to all members, or to one. */
  send(room: string, data: unknown, to?: string): Promise<RoomMessage>
  /**
   * Answers the first `top` entries of a leaderboard (1 to 100, default 10), then sends `board_changed` as they change;
   * `withChanges` applies it. `leaderboard`: its id or its key. What is heard of it has the id. With `season` the
   * entries are those of the current season; `board` comes again when the next one begins. Rejects with RoomsError
   * `no_seasons` if none is open. A later watch of the same leaderboard replaces it.
   */
  watch(leaderboard: string, top?: number, options?: WatchOptions): Promise<RoomsHeard['board']>
  /** Ends `watch`. */
  unwatch(leaderboard: string): Promise<{ readonly leaderboard: string }>
  /** Adds a listener. Returns a function that removes it. */
  on<Event extends keyof RoomsHeard>(event: Event, heard: (body: RoomsHeard[Event]) => void): () => void
  /**
   * Resolves when it is over: null after `close`, else the code that says why the server admits this player no more.
   */
  readonly over: Promise<string | null>
  /** Leaves all rooms and closes the connection. */
  close(): void
}

/** Rejects if the first connection fails: with ProblemError if there is no ticket, else with the error of Socket.IO. */
export async function connectRooms(io: Io, player: TicketHolder): Promise<RoomsClient> {
  const session = new RoomsSession(io, () => player.roomTicket())
  await session.begin()
  const request = <Answer>(event: string, body: object) => session.request<Answer>(event, body)
  return {
    list: (filter = {}) => request('rooms', filter),
    create: (options) => request('create', options),
    join: (room, since) => request('join', since === undefined ? { room } : { room, since }),
    leave: (room) => request('leave', { room }),
    send: (room, data, to) => request('send', to === undefined ? { room, data } : { room, data, to }),
    watch: (leaderboard, top, { season } = {}) => session.watch(leaderboard, { top, season }),
    unwatch: (leaderboard) => request('unwatch', { leaderboard }),
    on: (event, heard) => session.on(event, heard),
    over: session.over,
    close: () => session.close(),
  }
}

/** The entries of a watched leaderboard after changes, by rank. */
export function withChanges(
  scores: readonly RankedScore[],
  changes: RoomsHeard['board_changed']['changes'],
): readonly RankedScore[] {
  const byRank = new Map(scores.map((score) => [score.rank, score]))
  for (const { rank, score } of changes) {
    if (score === null) byRank.delete(rank)
    else byRank.set(rank, score)
  }
  return [...byRank.values()].sort((a, b) => a.rank - b.rank)
}
