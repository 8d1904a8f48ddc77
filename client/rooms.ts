// The rooms of a game, over Socket.IO. The caller passes `socket.io-client`, so that games without rooms do not need it.
// Each call resolves with the answer, or rejects with RoomsError.

import { pathTo } from './caller.ts'
import type { RankedScore } from './score-shapes.ts'
import type { Transport } from './transport.ts'

/** The used part of `socket.io-client`; pass its `io`. */
export type Io = (
  url: string,
  options: { readonly query: { readonly ticket: string }; readonly reconnection: false; readonly forceNew: true },
) => IoSocket

export interface IoSocket {
  readonly connected: boolean
  on(event: string, listener: (body: unknown) => void): unknown
  off(event: string, listener: (body: unknown) => void): unknown
  once(event: string, listener: (body: unknown) => void): unknown
  emit(event: string, body: unknown, answered: (answer: Acknowledged) => void): unknown
  disconnect(): unknown
}

type Acknowledged = { readonly ok: true } | { readonly ok: false; readonly code: string; readonly detail: string }

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

/** Events from the server, by name. */
export interface RoomsHeard {
  readonly rooms: { readonly rooms: readonly RoomInfo[]; readonly count: number }
  readonly joined: JoinedRoom
  readonly left: { readonly room: string }
  readonly member_joined: { readonly room: string } & RoomMember
  readonly member_left: { readonly room: string; readonly member: string; readonly reason: string }
  readonly message: RoomMessage
  readonly refused: { readonly event: string; readonly code: string; readonly detail: string }
  readonly board: { readonly leaderboard: string; readonly scores: readonly RankedScore[]; readonly seq: number }
  readonly board_changed: {
    readonly leaderboard: string
    readonly changes: readonly { readonly rank: number; readonly score: RankedScore | null }[]
    readonly seq: number
  }
  readonly unwatched: { readonly leaderboard: string }
  readonly closing: { readonly code: string; readonly detail: string }
}

/** The server rejected an event; `code` is one of the list in the AsyncAPI document. */
export class RoomsError extends Error {
  readonly code: string
  constructor(code: string, detail: string) {
    super(detail)
    this.name = 'RoomsError'
    this.code = code
  }
}

export interface RoomsClient {
  list(filter?: {
    readonly search?: string
    readonly limit?: number
    readonly offset?: number
  }): Promise<RoomsHeard['rooms']>
  create(wish: { readonly name: string; readonly max_members?: number; readonly listed?: boolean }): Promise<JoinedRoom>
  /** `since`: the last `seq` seen, to receive missed messages. */
  join(room: string, since?: number): Promise<JoinedRoom>
  leave(room: string): Promise<{ readonly room: string }>
  /** Sends to all members, or to one. */
  send(room: string, data: unknown, to?: string): Promise<RoomMessage>
  watch(leaderboard: string, top?: number): Promise<RoomsHeard['board']>
  unwatch(leaderboard: string): Promise<{ readonly leaderboard: string }>
  /** Adds a listener. Returns a function that removes it. */
  on<Event extends keyof RoomsHeard>(event: Event, heard: (body: RoomsHeard[Event]) => void): () => void
  /** Resolves when the connection has ended, with the server's code if it sent one. */
  readonly over: Promise<string | null>
  close(): void
}

/** A ticket to the rooms of a game, valid for one connection within 30 seconds. */
export interface RoomTicket {
  readonly ticket: string
  readonly url: string
  readonly expires_in: number
}

/** Requests a ticket with a bearer token. Rejects with ProblemError. */
export async function roomTicket(transport: Transport, game: string, token: string): Promise<RoomTicket> {
  const headers = { Authorization: `Bearer ${token}` }
  const path = pathTo(['gm', game, 'rt', 'ticket'])
  return (await transport.send({ method: 'POST', path, headers })).body as RoomTicket
}

/** Connects with a ticket. If it rejects because the handshake failed, request another ticket. */
export function connectRooms(io: Io, { ticket, url }: Pick<RoomTicket, 'ticket' | 'url'>): Promise<RoomsClient> {
  const socket = io(url, { query: { ticket }, reconnection: false, forceNew: true })
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(roomsClient(socket)))
    socket.once('connect_error', (failure) => {
      socket.disconnect()
      reject(failure)
    })
  })
}

function roomsClient(socket: IoSocket): RoomsClient {
  const over = new Promise<string | null>((resolve) => {
    let closingCode: string | null = null
    socket.on('closing', (body) => {
      closingCode = (body as RoomsHeard['closing']).code
    })
    socket.once('disconnect', () => resolve(closingCode))
  })
  const ended = over.then((code) => {
    throw new RoomsError(code ?? 'disconnected', 'The connection to the rooms is over.')
  })
  // A caller with no pending request learns it from `over`.
  ended.catch(() => {})
  function request<Answer>(event: string, body: object): Promise<Answer> {
    const answered = new Promise<Answer>((resolve, reject) => {
      socket.emit(event, body, (answer) => {
        if (!answer.ok) {
          reject(new RoomsError(answer.code, answer.detail))
          return
        }
        const { ok: _, ...rest } = answer
        resolve(rest as Answer)
      })
    })
    return Promise.race([answered, ended])
  }
  return {
    list: (filter = {}) => request('rooms', filter),
    create: (wish) => request('create', wish),
    join: (room, since) => request('join', since === undefined ? { room } : { room, since }),
    leave: (room) => request('leave', { room }),
    send: (room, data, to) => request('send', to === undefined ? { room, data } : { room, data, to }),
    watch: (leaderboard, top) => request('watch', top === undefined ? { leaderboard } : { leaderboard, top }),
    unwatch: (leaderboard) => request('unwatch', { leaderboard }),
    on: (event, heard) => {
      // The payload of this event has this shape.
      const listener = heard as (body: unknown) => void
      socket.on(event, listener)
      return () => socket.off(event, listener)
    },
    over,
    close: () => socket.disconnect(),
  }
}
