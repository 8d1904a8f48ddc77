// One connection to the rooms, over Socket.IO, made with one ticket.

import { RoomsError, type RoomsHeard } from './room-shapes.ts'
import type { RoomTicket } from './shapes.ts'

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

export type Acknowledged =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly detail: string }

export interface RoomsConnection {
  /** Resolves with the answer. Rejects with RoomsError, `disconnected` if the connection ends first. */
  request<Answer>(event: string, body: object): Promise<Answer>
  /** Resolves when the connection has ended, with the server's code if it sent one. */
  readonly over: Promise<string | null>
  readonly isOver: boolean
  close(): void
}

/** The events that the server sends. */
export type ServerEvent = Exclude<keyof RoomsHeard, 'rejoined' | 'disconnected'>

const SERVER_EVENTS: readonly ServerEvent[] = [
  'rooms',
  'joined',
  'left',
  'member_joined',
  'member_left',
  'message',
  'refused',
  'board',
  'board_changed',
  'unwatched',
  'closing',
]

export type HeardEvent = {
  [Event in ServerEvent]: { readonly event: Event; readonly body: RoomsHeard[Event] }
}[ServerEvent]

/** Rejects if the handshake fails; a ticket is then used up. */
export function openConnection(
  io: Io,
  { ticket, url }: Pick<RoomTicket, 'ticket' | 'url'>,
  heard: (event: HeardEvent) => void,
): Promise<RoomsConnection> {
  const socket = io(url, { query: { ticket }, reconnection: false, forceNew: true })
  // The payload of each event has its shape.
  for (const event of SERVER_EVENTS) socket.on(event, (body) => heard({ event, body } as HeardEvent))
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(connectionOn(socket)))
    socket.once('connect_error', (failure) => {
      socket.disconnect()
      reject(failure)
    })
  })
}

function connectionOn(socket: IoSocket): RoomsConnection {
  /** Rejects the requests that have no answer yet. */
  const pending = new Set<(failure: RoomsError) => void>()
  let closingCode: string | null = null
  let isOver = false
  const ended = () => new RoomsError(closingCode ?? 'disconnected', 'The connection to the rooms is over.')
  const over = new Promise<string | null>((resolve) => {
    socket.on('closing', (body) => {
      closingCode = (body as RoomsHeard['closing']).code
    })
    socket.once('disconnect', () => {
      isOver = true
      for (const reject of pending) reject(ended())
      pending.clear()
      resolve(closingCode)
    })
  })
  function request<Answer>(event: string, body: object): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      if (isOver) {
        reject(ended())
        return
      }
      pending.add(reject)
      socket.emit(event, body, (answer) => {
        pending.delete(reject)
        if (!answer.ok) {
          reject(new RoomsError(answer.code, answer.detail))
          return
        }
        const { ok: _, ...rest } = answer
        resolve(rest as Answer)
      })
    })
  }
  return {
    request,
    over,
    get isOver() {
      return isOver
    },
    close: () => socket.disconnect(),
  }
}
