// Connections to the rooms by name, whose events are kept until a case takes them, and which a case can cut.

import { io, type Socket } from 'socket.io-client'
import type { RoomsHeard } from '../../clients/javascript/room-shapes.ts'
import { RoomsSession } from '../../clients/javascript/rooms-session.ts'
import type { RoomTicket } from '../../clients/javascript/shapes.ts'

export interface RoomsUnderTest {
  connect(name: string, roomTicket: () => Promise<RoomTicket>): Promise<void>
  emit(name: string, event: string, body: object): Promise<unknown>
  /** Takes events of this name up to the next one. */
  next(name: string, event: string): Promise<unknown>
  cut(name: string): void
  /** Lets a cut connection be made again. */
  restore(name: string): void
  close(): void
}

const EVENTS = ['joined', 'left', 'member_joined', 'member_left', 'message', 'board', 'board_changed'] as const
const HEARD_MS = 10_000

interface Connection {
  readonly session: RoomsSession
  socket: Socket | null
  readonly heard: { readonly event: string; readonly body: unknown }[]
  wake: () => void
  /** Resolves when the network is back. */
  network: Promise<void>
  restore: () => void
}

export function createRoomsUnderTest(): RoomsUnderTest {
  const connections = new Map<string, Connection>()
  const of = (name: string): Connection => {
    const found = connections.get(name)
    if (found === undefined) throw new Error(`there is no connection ${name}`)
    return found
  }
  return {
    async connect(name, roomTicket) {
      const session = new RoomsSession(
        (url, options) => {
          connection.socket = io(url, options)
          return connection.socket
        },
        async () => {
          await connection.network
          return roomTicket()
        },
      )
      const connection: Connection = {
        session,
        socket: null,
        heard: [],
        wake: () => {},
        network: Promise.resolve(),
        restore: () => {},
      }
      connections.set(name, connection)
      for (const event of EVENTS) {
        session.on(event, (body: RoomsHeard[typeof event]) => {
          connection.heard.push({ event, body })
          connection.wake()
        })
      }
      await session.begin()
    },
    emit: (name, event, body) => of(name).session.request(event, body),
    async next(name, event) {
      const connection = of(name)
      for (;;) {
        const at = connection.heard.findIndex((one) => one.event === event)
        if (at >= 0) return connection.heard.splice(0, at + 1).at(-1)?.body
        await heardMore(connection, event)
      }
    },
    cut(name) {
      const connection = of(name)
      connection.network = new Promise((resolve) => {
        connection.restore = resolve
      })
      connection.socket?.io.engine.close()
    },
    restore: (name) => of(name).restore(),
    close() {
      for (const { session, restore } of connections.values()) {
        restore()
        session.close()
      }
    },
  }
}

function heardMore(connection: Connection, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${event} was not heard`)), HEARD_MS)
    connection.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
