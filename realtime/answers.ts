// The handlers of the client events `rooms`, `create`, `join`, `listen`, `leave` and `send`. boards.ts has `watch` and
// `unwatch`.

import { randomIds } from '../credentials/command-ids.ts'
import type {
  Joined,
  ListeningRefusal,
  MakingRefusal,
  Rooms,
  RoomsNode,
  Seat,
  Seated,
} from '../stores/contract/rooms.ts'
import { type Reply, refusal, seatRefusal } from './client-events.ts'
import { RoomRefusal } from './events.ts'
import { LISTENERS_PER_ROOM, ROOMS_PER_PLAYER, ROOMS_PER_SOCKET, SEARCH_WORK, SEARCHES_PER_SECOND } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import type { Answers, RoomConnection } from './room-connection.ts'
import { joinedJson, listeningJson, messageJson, type RoomRegistry } from './room-registry.ts'
import type { WaitingJoins } from './waiting-joins.ts'

interface AnswersDeps {
  readonly rooms: Rooms
  readonly node: RoomsNode
  readonly waitingJoins: WaitingJoins
  readonly roomRegistry: RoomRegistry
  readonly metrics: RoomsMetrics
  /** Open rooms that one network address made. */
  readonly maxRoomsOfAddress: number
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

// `create`, `join` and `listen` give a connection a seat in a room, or let it hear one.

type SeatingDeps = Pick<AnswersDeps, 'node' | 'waitingJoins' | 'roomRegistry' | 'maxRoomsOfAddress'>

const createAnswer =
  (deps: SeatingDeps): Answers['create'] =>
  (connection, { name, max_members: wanted, listed }, reply) => {
    const { allow_create: mayCreate, max_room_size: most, max_rooms: maxRooms } = connection.game.settings
    if (!mayCreate) throw new RoomRefusal('create_off', 'Creating rooms is disabled in this game.')
    const maxMembers = wanted ?? most
    if (maxMembers > most) {
      throw new RoomRefusal('malformed', `max_members: must be at most ${most}, the game’s max_room_size.`)
    }
    const { generator } = randomIds()
    const seat = seatIn(connection, generator.id('room'), generator.id('member'))
    const making = {
      ...seat,
      player: connection.player,
      name,
      maxMembers,
      listed,
      maxRooms,
      maxRoomsOfPlayer: ROOMS_PER_PLAYER,
      network: connection.address,
      maxRoomsOfNetwork: deps.maxRoomsOfAddress,
    }
    return take(deps, connection, { seat, answer: joined(seat, reply) }, (seated) => deps.node.create(making, seated))
  }

const joinAnswer =
  (deps: SeatingDeps): Answers['join'] =>
  (connection, { room, since = null }, reply) => {
    const { seat, fixed } = existing(connection, room)
    const joining = { ...seat, player: connection.player, since, fixed, asks: true }
    return take(deps, connection, { seat, answer: joined(seat, reply) }, (seated) =>
      deps.waitingJoins.join(connection, joining, seated),
    )
  }

const listenAnswer =
  (deps: SeatingDeps): Answers['listen'] =>
  (connection, { room }, reply) => {
    if (connection.holder.listens !== true) {
      throw new RoomRefusal('permission_needed', 'Listening needs a connection with a ticket of POST rt/listen.')
    }
    const { seat, fixed } = existing(connection, room)
    const answer = (found: Joined) => reply('listening', () => listeningJson(found))
    const listening = { ...seat, fixed, maxListeners: LISTENERS_PER_ROOM }
    return take(deps, connection, { seat, answer }, (seated) => deps.node.listen(listening, seated))
  }

const joined = (seat: Seat, reply: Reply) => (found: Joined) => reply('joined', () => joinedJson(found, seat.member))

/** A new seat in an existing room, with the fixed room of that id. */
function existing(connection: RoomConnection, room: string) {
  const fixed = connection.game.fixedRooms.find(({ id }) => id === room) ?? null
  if (connection.seats.has(room)) throw new RoomRefusal('already_in_room', 'This connection is in the room already.')
  return { seat: seatIn(connection, room, randomIds().generator.id('member')), fixed }
}

function seatIn(connection: RoomConnection, room: string, member: string): Seat {
  if (!connection.pace.attempt(performance.now())) {
    throw new RoomRefusal('too_fast', 'You joined or created too many rooms. Retry in a few seconds.')
  }
  if (connection.seats.size >= ROOMS_PER_SOCKET) {
    throw new RoomRefusal('too_many_rooms', `One connection is in at most ${ROOMS_PER_SOCKET} rooms: leave one first.`)
  }
  return { game: connection.holder.game, room, member }
}

interface Taking {
  readonly seat: Seat
  answer(joined: Joined): void
}

/**
 * Takes a seat, or that of a listener. The answer is sent exactly between the last event in `missed` and the first that
 * the connection receives.
 */
async function take(
  deps: SeatingDeps,
  connection: RoomConnection,
  { seat, answer }: Taking,
  ask: (seated: Seated) => Promise<ListeningRefusal | 'room_full' | MakingRefusal | null>,
): Promise<void> {
  const { node, roomRegistry } = deps
  const { seats } = connection
  seats.set(seat.room, null)
  let isSeated = false
  try {
    const refused = await ask((joined) => {
      isSeated = true
      if (connection.isGone) return
      seats.set(seat.room, seat)
      roomRegistry.seat(seat, connection)
      answer(joined)
    })
    if (refused !== null) throw seatRefusal(refused, deps.maxRoomsOfAddress)
  } finally {
    if (!isSeated) seats.delete(seat.room)
    else if (connection.isGone) void node.leave(seat, 'disconnected').catch(() => {})
  }
}
