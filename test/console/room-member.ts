// Somebody in a room, who sends messages.

import { io } from 'socket.io-client'
import { connectRooms, roomTicket } from '../../client/rooms.ts'
import { createTransport } from '../../client/transport.ts'
import type { ConsoleWorld } from './console-world.ts'

export interface Speaker {
  say(data: unknown): Promise<unknown>
  close(): void
}

/** Creates the room `Console test` and stays in it. */
export async function sendInRoom({ url, game, token }: ConsoleWorld): Promise<Speaker> {
  const ticket = await roomTicket(createTransport({ baseUrl: url }), game, token)
  const rooms = await connectRooms(io, ticket)
  const { room } = await rooms.create({ name: 'Console test', max_members: 8, listed: true })
  return { say: (data) => rooms.send(room.id, data), close: () => rooms.close() }
}
