// The handlers of the client events `rooms`, `leave` and `send`. seating.ts has `create`, `join` and `listen`,
// boards.ts has `watch` and `unwatch`.

import type { Rooms, RoomsNode } from '../stores/contract/rooms.ts'
import { RoomRefusal } from './events.ts'
import { SEARCH_WORK, SEARCHES_PER_SECOND } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import { refusal } from './refusal.ts'
import type { Answers } from './room-connection.ts'
import { messageJson, type RoomRegistry } from './room-registry.ts'
import { createAnswer, joinAnswer, listenAnswer } from './seating.ts'

interface AnswersDeps {
  readonly rooms: Rooms
  readonly node: RoomsNode
  readonly roomRegistry: RoomRegistry
  readonly metrics: RoomsMetrics
}

export function roomAnswers(deps: AnswersDeps): Omit<Answers, 'watch' | 'unwatch'> {
  return {
    rooms: roomsAnswer(deps),
    create: createAnswer(deps),
    join: joinAnswer(deps),
    listen: listenAnswer(deps),
    leave: leaveAnswer(deps),
    send: sendAnswer(deps),
  }
}

const roomsAnswer =
  ({ rooms }: AnswersDeps): Answers['rooms'] =>
  async ({ holder, game, pace, networkPace }, { search = '', limit, offset }, reply) => {
    if (!game.settings.allow_search) throw new RoomRefusal('search_off', 'The rooms of this game are not listed.')
    const nowMs = performance.now()
    if (search !== '' && !(pace.search(nowMs) && networkPace.work(SEARCH_WORK, nowMs))) {
      throw new RoomRefusal('too_fast', `Search at most ${SEARCHES_PER_SECOND} times a second, on average.`)
    }
    const found = await rooms.list({ game: holder.game, search, limit, offset, fixed: game.fixedRooms })
    const listed = found.rooms.map(({ id, name, members, max_members, fixed }) => {
      return { id, name, members, max_members, fixed }
    })
    reply('rooms', () => JSON.stringify({ rooms: listed, count: found.count }))
  }

const leaveAnswer =
  ({ node, roomRegistry }: AnswersDeps): Answers['leave'] =>
  async (connection, { room }, reply) => {
    const seat = connection.seats.get(room)
    if (!seat) throw refusal('not_in_room')
    connection.seats.delete(room)
    // The seat is released here even if the store is unavailable; the node retries the leave later.
    await node.leave(seat, 'left').catch(() => {})
    roomRegistry.unseat(seat)
    reply('left', () => JSON.stringify({ room }))
  }

const sendAnswer =
  ({ node, metrics }: AnswersDeps): Answers['send'] =>
  async (connection, { room, data, to }, reply) => {
    const text = textOf(data, connection.game.settings.max_message_bytes)
    const seat = connection.seats.get(room)
    if (!seat) throw refusal('not_in_room')
    const replyWith = (seq: number | null, sentAtMs: number) => {
      metrics.message()
      reply('message', () => messageJson(room, { from: seat.member, data: text, seq, sentAtMs }))
    }
    if (to === undefined) {
      const sent = await node.send(seat, text)
      if (sent === 'not_in_room') throw refusal(sent)
      replyWith(sent.seq, sent.sentAtMs)
    } else {
      const sent = await node.sendTo(seat, to, text)
      if (typeof sent === 'string') throw refusal(sent)
      replyWith(null, sent.sentAtMs)
    }
  }

/** The JSON text of the data. Throws RoomRefusal if it is missing, too deep or too large. */
function textOf(data: unknown, maxBytes: number): string {
  let text: string | undefined
  try {
    text = JSON.stringify(data)
  } catch {
    throw new RoomRefusal('malformed', 'data: is nested too deeply.')
  }
  if (text === undefined) throw new RoomRefusal('malformed', 'data: is missing.')
  // A UTF-16 unit takes at most 3 bytes as UTF-8, so most messages need no exact count.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text
  throw new RoomRefusal('message_too_large', `data: must be at most ${maxBytes} bytes as UTF-8 JSON.`)
}
