// This project's client as a driver, in this process.

import { io, type Socket } from 'socket.io-client'
import { createBearer, createClock } from '../../clients/javascript/bearer.ts'
import { type Caller, createCaller, pathTo } from '../../clients/javascript/caller.ts'
import { connect } from '../../clients/javascript/connect.ts'
import { ProblemError } from '../../clients/javascript/problem.ts'
import { RoomsError, type RoomsHeard } from '../../clients/javascript/room-shapes.ts'
import { RoomsSession } from '../../clients/javascript/rooms-session.ts'
import type { RoomTicket } from '../../clients/javascript/shapes.ts'
import { challengeMessage, signerOf } from '../../clients/javascript/signing.ts'
import { createTransport, type Sending } from '../../clients/javascript/transport.ts'
import { type Driver, type Opening, Refused } from './driver.ts'

export function ownDriver(): Driver {
  let callers = new Map<string, Caller>()
  let game = ''
  let rooms = createRoomsUnderTest()
  const callerOf = (name: string): Caller => {
    const found = callers.get(name)
    if (found === undefined) throw new Error(`nobody is called ${name}`)
    return found
  }
  return {
    supports: new Set(['rooms', 'sign'] as const),
    async sign({ secret, private_key, request_id: id, nonce, unix_ts: ts, permissions }) {
      const key = { prefix: '', ...(secret === undefined ? { privateKey: private_key ?? '' } : { secret }) }
      const message = challengeMessage(id, nonce, ts, permissions)
      return { message, signature: await (await signerOf(key))(message) }
    },
    async open(opening) {
      const made = await callersOf(opening)
      callers = made.callers
      game = opening.game
      return { players: made.players }
    },
    call: ({ as, method, path, body, key }) =>
      refusing(() => callerOf(as).call(method as Sending['method'], path, body, { key })),
    connect: (name, as) =>
      rooms.connect(name, () => callerOf(as).call<RoomTicket>('POST', pathTo(['gm', game, 'rt', 'ticket']))),
    emit: (on, event, body) => refusing(() => rooms.emit(on, event, body)),
    hears: (on, event) => rooms.next(on, event),
    cut: async (name) => rooms.cut(name),
    restore: async (name) => rooms.restore(name),
    async closeRooms() {
      rooms.close()
      rooms = createRoomsUnderTest()
    },
    end: async () => rooms.close(),
  }
}

async function callersOf({ url: baseUrl, game, server_key, client_key, guests }: Opening) {
  const transport = createTransport({ baseUrl })
  const callerWith = (renew: () => Promise<string>) => {
    const token = async () => ({ token: await renew(), expires_at: Infinity })
    return createCaller(transport, createBearer(null, token, createClock(Date.now)))
  }
  const [server, client] = [await connect({ baseUrl, key: server_key }), await connect({ baseUrl, key: client_key })]
  const callers = new Map([
    ['server', callerWith(() => server.token())],
    ['client', callerWith(() => client.token())],
  ])
  const players: Record<string, string> = {}
  for (const [name, shown] of Object.entries(guests)) {
    const guest = await client.asGuest(game, { name: shown })
    players[name] = guest.player.id
    callers.set(
      name,
      callerWith(async () => (await guest.refresh()).token),
    )
  }
  return { callers, players }
}

async function refusing(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (failure) {
    if (failure instanceof ProblemError) throw new Refused(failure.fields)
    if (failure instanceof RoomsError) throw new Refused({ code: failure.code, detail: failure.message })
    throw failure
  }
}

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
