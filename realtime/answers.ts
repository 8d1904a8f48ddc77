// What each event of a client does, and what it is answered.

import { freshMinting } from '../credentials/mint.ts'
import type { Rooms, RoomsNode, Seat } from '../stores/contract/rooms.ts'
import type { Answers, Connection, Reply } from './connection.ts'
import { RoomRefusal } from './events.ts'
import { type Hall, joinedJson, messageJson } from './hall.ts'
import { ROOMS_PER_SOCKET, SEARCHES_PER_SECOND } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'

export interface AnswersDeps {
  readonly rooms: Rooms
  readonly node: RoomsNode
  readonly hall: Hall
  readonly metrics: RoomsMetrics
}

const REFUSED = {
  room_not_found: 'There is no such room.',
  room_full: 'All seats of the room are taken.',
  too_many_rooms: 'The game has as many rooms as it may have.',
  not_in_room: 'Join the room first.',
  member_not_found: 'There is no such member in the room.',
} as const

const refusal = (code: keyof typeof REFUSED): RoomRefusal => new RoomRefusal(code, REFUSED[code])

export function roomAnswers(deps: AnswersDeps): Omit<Answers, 'watch' | 'unwatch'> {
  const { rooms, node, hall, metrics } = deps
  return {
    rooms: async ({ holder, game, pace }, { search = '', limit, offset }, reply) => {
      if (!game.settings.allow_search) throw new RoomRefusal('search_off', 'The rooms of this game are not listed.')
      if (search !== '' && !pace.search(performance.now())) {
        throw new RoomRefusal('too_fast', `Search at most ${SEARCHES_PER_SECOND} times a second, on the average.`)
      }
      const found = await rooms.list({ game: holder.game, search, limit, offset, fixed: game.fixedRooms })
      const listed = found.rooms.map(({ id, name, members, max_members, fixed }) => {
        return { id, name, members, max_members, fixed }
      })
      reply('rooms', () => JSON.stringify({ rooms: listed, count: found.count }))
    },

    create: (connection, { name, max_members: wanted, listed }, reply) => {
      const { allow_create: mayCreate, max_room_size: most, max_rooms: maxRooms } = connection.game.settings
      if (!mayCreate) throw new RoomRefusal('create_off', 'Players make no rooms in this game.')
      const maxMembers = wanted ?? most
      if (maxMembers > most) {
        throw new RoomRefusal('malformed', `max_members: must be at most ${most}, the game’s max_room_size.`)
      }
      const { mint } = freshMinting()
      const seat = seatIn(connection, mint.id('room'), mint.id('member'))
      const making = { ...seat, player: connection.player, name, maxMembers, listed, maxRooms }
      return take(connection, seat, reply, (seated) => node.create(making, seated))
    },

    join: (connection, { room, since = null }, reply) => {
      const fixed = connection.game.fixedRooms.find(({ id }) => id === room) ?? null
      if (connection.seats.has(room))
        throw new RoomRefusal('already_in_room', 'This connection is in the room already.')
      const seat = seatIn(connection, room, freshMinting().mint.id('member'))
      const joining = { ...seat, player: connection.player, since, fixed }
      return take(connection, seat, reply, (seated) => node.join(joining, seated))
    },

    leave: async (connection, { room }, reply) => {
      const seat = connection.seats.get(room)
      if (!seat) throw refusal('not_in_room')
      connection.seats.delete(room)
      // Where the store is away, it is told again by itself: the seat is given up either way.
      await node.leave(seat, 'left').catch(() => {})
      hall.unseat(seat)
      reply('left', () => JSON.stringify({ room }))
    },

    send: async (connection, { room, data, to }, reply) => {
      const text = textOf(data, connection.game.settings.max_message_bytes)
      const seat = connection.seats.get(room)
      if (!seat) throw refusal('not_in_room')
      const said = (seq: number | null, sentAtMs: number) => {
        metrics.message()
        reply('message', () => messageJson(room, { from: seat.member, data: text, seq, sentAtMs }))
      }
      if (to === undefined) {
        const sent = await node.send(seat, text)
        if (sent === 'not_in_room') throw refusal(sent)
        said(sent.seq, sent.sentAtMs)
      } else {
        const sent = await node.sendTo(seat, to, text)
        if (typeof sent === 'string') throw refusal(sent)
        said(null, sent.sentAtMs)
      }
    },
  }

  /** Takes a seat; the answer goes out at the very place in the room's order from which on the member hears it. */
  async function take(
    connection: Connection,
    seat: Seat,
    reply: Reply,
    ask: (
      seated: Parameters<RoomsNode['join']>[1],
    ) => Promise<'room_not_found' | 'room_full' | 'too_many_rooms' | null>,
  ): Promise<void> {
    const { seats } = connection
    seats.set(seat.room, null)
    let isSeated = false
    try {
      const refused = await ask((joined) => {
        isSeated = true
        if (connection.isGone) return
        seats.set(seat.room, seat)
        hall.seat(seat, connection)
        reply('joined', () => joinedJson(joined, seat.member))
      })
      if (refused !== null) throw refusal(refused)
    } finally {
      if (!isSeated) seats.delete(seat.room)
      else if (connection.isGone) void node.leave(seat, 'disconnected').catch(() => {})
    }
  }
}

function seatIn(connection: Connection, room: string, member: string): Seat {
  if (!connection.pace.attempt(performance.now())) {
    throw new RoomRefusal('too_fast', 'Too many rooms were joined or made of late. Wait a few seconds.')
  }
  if (connection.seats.size >= ROOMS_PER_SOCKET) {
    throw new RoomRefusal('too_many_rooms', `One connection is in at most ${ROOMS_PER_SOCKET} rooms: leave one first.`)
  }
  return { game: connection.holder.game, room, member }
}

/** As JSON, which it was read from. */
function textOf(data: unknown, mostBytes: number): string {
  let text: string | undefined
  try {
    text = JSON.stringify(data)
  } catch {
    throw new RoomRefusal('malformed', 'data: is nested too deeply.')
  }
  if (text === undefined) throw new RoomRefusal('malformed', 'data: is missing.')
  // Three bytes at most for each unit of text: most messages need not be counted.
  if (text.length * 3 <= mostBytes || Buffer.byteLength(text) <= mostBytes) return text
  throw new RoomRefusal('message_too_large', `data: must be at most ${mostBytes} bytes as UTF-8 JSON.`)
}
