// Somebody in a room, who sends messages.

import { io } from 'socket.io-client'
import { connectRooms } from '../../clients/javascript/rooms.ts'
import type { RoomTicket } from '../../clients/javascript/shapes.ts'
import type { ConsoleWorld } from './console-world.ts'

export interface Speaker {
  say(data: unknown): Promise<unknown>
  close(): void
}

/** Creates the room `Console test` and stays in it. */
export async function sendInRoom({ url, game, token }: ConsoleWorld): Promise<Speaker> {
  const headers = { Authorization: `Bearer ${token}` }
  const roomTicket = async () => {
    const answer = await fetch(`${url}/api/gm/${game}/rt/ticket/`, { method: 'POST', headers })
    return (await answer.json()) as RoomTicket
  }
  const rooms = await connectRooms(io, { roomTicket })
  const { room } = await rooms.create({ name: 'Console test', max_members: 8, listed: true })
  return { say: (data) => rooms.send(room.id, data), close: () => rooms.close() }
}
