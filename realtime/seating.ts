// The handlers of `create`, `join` and `listen`: they give a connection a seat in a room, or let it hear one.

import { randomIds } from '../credentials/command-ids.ts'
import type { Joined, ListeningRefusal, MakingRefusal, RoomsNode, Seat, Seated } from '../stores/contract/rooms.ts'
import type { Reply } from './client-events.ts'
import { RoomRefusal } from './events.ts'
import { LISTENERS_PER_ROOM, ROOMS_PER_NETWORK, ROOMS_PER_PLAYER, ROOMS_PER_SOCKET } from './limits.ts'
import { refusal } from './refusal.ts'
import type { Answers, RoomConnection } from './room-connection.ts'
import { joinedJson, listeningJson, type RoomRegistry } from './room-registry.ts'

export interface SeatingDeps {
  readonly node: RoomsNode
  readonly roomRegistry: RoomRegistry
}

export const createAnswer =
  (deps: SeatingDeps): Answers['create'] =>
  (connection, { name, max_members: wanted, listed }, reply) => {
    const { allow_create: mayCreate, max_room_size: most, max_rooms: maxRooms } = connection.game.settings
    if (!mayCreate) throw new RoomRefusal('create_off', 'Players make no rooms in this game.')
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
      maxRoomsOfNetwork: ROOMS_PER_NETWORK,
    }
    return take(deps, connection, { seat, answer: joined(seat, reply) }, (seated) => deps.node.create(making, seated))
  }

export const joinAnswer =
  (deps: SeatingDeps): Answers['join'] =>
  (connection, { room, since = null }, reply) => {
    const { seat, fixed } = existing(connection, room)
    const joining = { ...seat, player: connection.player, since, fixed }
    return take(deps, connection, { seat, answer: joined(seat, reply) }, (seated) => deps.node.join(joining, seated))
  }

export const listenAnswer =
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
    throw new RoomRefusal('too_fast', 'Too many rooms were joined or made of late. Wait a few seconds.')
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
  { node, roomRegistry }: SeatingDeps,
  connection: RoomConnection,
  { seat, answer }: Taking,
  ask: (seated: Seated) => Promise<ListeningRefusal | 'room_full' | MakingRefusal | null>,
): Promise<void> {
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
    if (refused !== null) throw refusal(refused)
  } finally {
    if (!isSeated) seats.delete(seat.room)
    else if (connection.isGone) void node.leave(seat, 'disconnected').catch(() => {})
  }
}
