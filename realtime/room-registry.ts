// The registry of rooms that have a member or a listener on this node. Each event is serialised once per room. The
// flush scheduler then sends every member all events since they joined, in the room's order.

import { isoOf } from '../domain/iso.ts'
import type { Joined, Message, RoomEvent, Seat } from '../stores/contract/rooms.ts'
import type { ServerEventBody } from './events.ts'
import type { Flushing, FlushScheduler } from './flush-scheduler.ts'
import { batchesOf, batchOf, eventText } from './frames.ts'
import { PRESENCE_AT_ONCE_MEMBERS, PRESENCE_EVERY_MS, ROOM_BATCH_MAX_BYTES } from './limits.ts'
import type { RoomConnection } from './room-connection.ts'

interface LocalMember {
  readonly connection: RoomConnection
  /** Index into the room's unsent texts; this member receives all from here on. */
  from: number
}

class LocalRoom implements Flushing {
  readonly id: string
  readonly members = new Map<string, LocalMember>()
  readonly #flushScheduler: FlushScheduler
  #texts: string[] = []
  #length = 0
  #timer: NodeJS.Timeout | undefined

  constructor(id: string, flushScheduler: FlushScheduler) {
    this.id = id
    this.#flushScheduler = flushScheduler
  }

  /** A listener's seat has an id of its own, which no event names. */
  seat(member: string, connection: RoomConnection): void {
    this.members.set(member, { connection, from: this.#texts.length })
  }

  say(text: string): void {
    this.#texts.push(text)
    this.#length += text.length
    if (this.#length > ROOM_BATCH_MAX_BYTES) {
      this.flush()
      return
    }
    if (this.#texts.length === 1 || this.#timer !== undefined) this.#due()
  }

  /** Adds a join or leave notice. Large rooms batch them for PRESENCE_EVERY_MS, but never after later events. */
  sayPresence(text: string): void {
    if (this.members.size <= PRESENCE_AT_ONCE_MEMBERS) {
      this.say(text)
      return
    }
    this.#texts.push(text)
    if (this.#texts.length === 1) this.#timer = setTimeout(() => this.#due(), PRESENCE_EVERY_MS)
  }

  /** The connections with a seat here, each with its id. */
  get seated(): readonly (readonly [string, RoomConnection])[] {
    return [...this.members].map(([member, { connection }]) => [member, connection])
  }

  #due(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushScheduler.room(this)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const texts = this.#texts
    this.#length = 0
    if (texts.length === 0) return
    this.#texts = []
    const batches = batchesOf(texts)
    for (const member of this.members.values()) {
      if (member.from < texts.length) member.connection.socketWriter.push(batches(member.from))
      member.from = 0
    }
  }
}

export class RoomRegistry {
  readonly #rooms = new Map<string, LocalRoom>()
  readonly #flushScheduler: FlushScheduler

  constructor(flushScheduler: FlushScheduler) {
    this.#flushScheduler = flushScheduler
  }

  get rooms(): number {
    return this.#rooms.size
  }

  /** The member receives all events of the room from now on. */
  seat(seat: Seat, connection: RoomConnection): void {
    const key = keyOf(seat)
    const room = this.#rooms.get(key) ?? new LocalRoom(seat.room, this.#flushScheduler)
    this.#rooms.set(key, room)
    room.seat(seat.member, connection)
  }

  /** Sends the member all events so far, then removes it. */
  unseat(seat: Seat): void {
    const key = keyOf(seat)
    const room = this.#rooms.get(key)
    const member = room?.members.get(seat.member)
    if (room === undefined || member === undefined) return
    if (!member.connection.isGone) room.flush()
    room.members.delete(seat.member)
    if (room.members.size > 0) return
    room.flush()
    this.#rooms.delete(key)
  }

  /** The connection of a seat on this node. */
  connectionOf(seat: Seat): RoomConnection | undefined {
    return this.#rooms.get(keyOf(seat))?.members.get(seat.member)?.connection
  }

  heard(event: RoomEvent): void {
    const room = this.#rooms.get(keyOf(event))
    if (room === undefined) return
    switch (event.type) {
      case 'message':
        room.say(eventText('message', messageJson(event.room, event)))
        return
      case 'direct': {
        // Flush first, to keep the sender's direct messages in order with its other messages.
        room.flush()
        const heard = batchOf([eventText('message', messageJson(event.room, { ...event, seq: null }))])
        for (const member of new Set([event.to, event.from]))
          room.members.get(member)?.connection.socketWriter.push(heard)
        return
      }
      case 'joined': {
        const body: ServerEventBody<'member_joined'> = { room: event.room, member: event.member, player: event.player }
        room.sayPresence(eventText('member_joined', JSON.stringify(body)))
        return
      }
      case 'left': {
        const seat = { game: event.game, room: event.room, member: event.member }
        const member = room.members.get(event.member)
        this.unseat(seat)
        member?.connection.unseated(seat)
        const body: ServerEventBody<'member_left'> = { room: event.room, member: event.member, reason: event.reason }
        room.sayPresence(eventText('member_left', JSON.stringify(body)))
        return
      }
      case 'ended': {
        for (const [member, connection] of room.seated) {
          const seat = { game: event.game, room: event.room, member }
          this.unseat(seat)
          connection.unseated(seat)
        }
        return
      }
    }
  }
}

const keyOf = ({ game, room }: Pick<Seat, 'game' | 'room'>): string => `${game} ${room}`

/** `data` is JSON text and is inserted unchanged. */
export function messageJson(room: string, message: Omit<Message, 'seq'> & { readonly seq: number | null }): string {
  const { from, data, seq, sentAtMs } = message
  const sentAt = isoOf(sentAtMs)
  return `{"room":"${room}","from":"${from}","data":${data},"seq":${seq},"sent_at":"${sentAt}"}`
}

export function listeningJson({ room, members, seq }: Joined): string {
  const all = members.map(({ member, player }) => ({ member, player }))
  return JSON.stringify({ room: room.id, members: all, seq } satisfies ServerEventBody<'listening'>)
}

/** JSON of a `joined` event; `member` is the id of the client that joined. */
export function joinedJson({ room, members, seq, missed }: Joined, member: string): string {
  const { id, name, members: count, max_members, fixed } = room
  const all = members.map((one) => ({ member: one.member, player: one.player }))
  const head = JSON.stringify({ room: { id, name, members: count, max_members, fixed }, members: all, member, seq })
  const messages = missed === null ? 'null' : `[${missed.map((message) => messageJson(id, message)).join(',')}]`
  return `${head.slice(0, -1)},"missed":${messages}}`
}
