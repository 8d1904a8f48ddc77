// Listens to one room without taking a seat in it. Connects again with a new ticket when the connection ends.

import { io } from 'socket.io-client'
import type { Api, RoomMember } from '../api.ts'
import { endsSession } from '../session.ts'

interface RoomMessage {
  readonly from: string
  readonly data: unknown
  readonly seq: number | null
  readonly sent_at: string
}

export interface Heard {
  readonly state: 'connecting' | 'listening' | 'refused'
  /** Why it is refused. */
  readonly detail: string | null
  readonly members: readonly RoomMember[]
  /** Oldest first. */
  readonly messages: readonly RoomMessage[]
}

const MESSAGES_MAX = 1_000
const AGAIN_MS = 2_000
const DRAWN_EVERY_MS = 100

type Acknowledged =
  | { readonly ok: true; readonly members: readonly RoomMember[] }
  | { readonly ok: false; readonly detail: string }

/** Returns a function that ends it. */
export function listenToRoom(api: Api, game: string, room: string, onHeard: (heard: Heard) => void): () => void {
  let heard: Heard = { state: 'connecting', detail: null, members: [], messages: [] }
  let over = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let socket: ReturnType<typeof io> | undefined
  let isDrawn = true

  const change = (to: Partial<Heard>) => {
    heard = { ...heard, ...to }
    if (!isDrawn) return
    isDrawn = false
    setTimeout(() => {
      isDrawn = true
      if (!over) onHeard(heard)
    }, DRAWN_EVERY_MS)
  }
  const again = (detail: string | null) => {
    if (over) return
    change({ state: 'connecting', detail })
    clearTimeout(timer)
    timer = setTimeout(connect, AGAIN_MS)
  }
  const connect = async () => {
    socket?.close()
    try {
      const { ticket, url } = await api.listenTicket(game)
      if (over) return
      socket = io(url, { query: { ticket }, reconnection: false, forceNew: true, transports: ['websocket'] })
    } catch (error) {
      if (!endsSession(error)) again(error instanceof Error ? error.message : null)
      return
    }
    socket.on('connect', () => {
      socket?.emit('listen', { room }, (answer: Acknowledged) => {
        if (answer.ok) change({ state: 'listening', detail: null, members: answer.members })
        else change({ state: 'refused', detail: answer.detail })
      })
    })
    socket.on('message', (message: RoomMessage) => {
      change({ messages: [...heard.messages, message].slice(-MESSAGES_MAX) })
    })
    socket.on('member_joined', (member: RoomMember) => {
      change({ members: [...heard.members.filter((one) => one.member !== member.member), member] })
    })
    socket.on('member_left', ({ member }: RoomMember) => {
      change({ members: heard.members.filter((one) => one.member !== member) })
    })
    socket.on('connect_error', (error) => again(error.message))
    socket.on('disconnect', () => again(null))
  }
  void connect()
  return () => {
    over = true
    clearTimeout(timer)
    socket?.close()
  }
}
