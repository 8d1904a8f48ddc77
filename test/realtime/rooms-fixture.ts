// A game whose rooms are enabled, and Socket.IO clients that keep received events in order until the test takes them.

import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { clientToken, type Guest, type MadeGame, makeGame, signInGuest } from '../front-door/game-fixtures.ts'
import type { Body } from '../front-door/http-client.ts'
import { must, openWorld, type World } from '../front-door/world.ts'

export interface RoomsFixture {
  readonly world: World
  readonly game: MadeGame
  /** A client key's token, without a player. */
  readonly client: string
  set(realtime: object, more?: object): Promise<void>
  guest(name?: string): Promise<Guest>
  ticket(token: string): Promise<string>
  /** Connects, as a new player unless the options name a token or ticket. */
  enter(wish?: DialOptions): Promise<RoomClient>
}

export interface DialOptions {
  readonly name?: string
  readonly token?: string
  readonly ticket?: string
  readonly port?: number
  readonly transports?: readonly ('polling' | 'websocket')[]
  readonly headers?: Record<string, string>
  /** Replaces the default options of Socket.IO. */
  readonly options?: Partial<ManagerOptions & SocketOptions>
}

export interface ServerEventBody {
  readonly event: string
  readonly body: Body
}

export interface RoomClient {
  readonly socket: Socket
  readonly guest: Guest | null
  /** Received events that were not taken yet. */
  readonly received: ServerEventBody[]
  /** Takes events up to the next one of this name and returns its body. Rejects if the connection ends first. */
  next(event: string): Promise<Body>
  /** Sends an event and returns the acknowledgement. */
  ask(event: string, ...args: unknown[]): Promise<Body>
  /** Resolves with the reason when the connection ends. */
  readonly over: Promise<string>
  leave(): Promise<void>
}

const opened = new Set<Socket>()

/** Call after each suite: disconnects all clients. */
export function closeRoomClients(): void {
  for (const socket of opened) socket.disconnect()
  opened.clear()
}

/** Opens one world per suite and a new fixture before each test. */
export function roomsFixtureForEach(take: (fixture: RoomsFixture) => void): void {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  beforeEach(async () => take(await openRoomsFixture(world)))
  afterEach(() => closeRoomClients())
}

/** Clients without options of their own connect to these ports in turn, or to the world's port. */
export async function openRoomsFixture(
  world: World,
  realtime: object = {},
  ports: readonly number[] = [],
): Promise<RoomsFixture> {
  let entered = 0
  const game = await makeGame(world)
  const client = await clientToken(world, game)
  const set = async (changes: object, more: object = {}) => {
    const body = { realtime: changes, ...more }
    must(await world.call('PUT', `/api/gm/${game.id}/`, { token: game.token, body }), 200)
  }
  await set({ enabled: true, ...realtime })
  const guest = (name?: string) => signInGuest(world, game, client, name)
  const ticket = async (token: string) => {
    return must(await world.call('POST', `/api/gm/${game.id}/rt/ticket/`, { token }), 201).ticket as string
  }
  const enter = async (wish: DialOptions = {}) => {
    const own = wish.token === undefined && wish.ticket === undefined ? await guest(wish.name) : null
    const used = wish.ticket ?? (await ticket(wish.token ?? own?.token ?? ''))
    const port = wish.port ?? ports[entered++ % ports.length] ?? world.port
    return connected({ ...wish, ticket: used, port }, own)
  }
  return { world, game, client, set, guest, ticket, enter }
}

/** Rejects with the answer to the handshake. */
export async function connected(
  wish: DialOptions & { readonly ticket: string; readonly port: number },
  guest: Guest | null = null,
): Promise<RoomClient> {
  const roomClient = roomClientOf(dial(wish), guest)
  await new Promise<void>((resolve, reject) => {
    roomClient.socket.once('connect', resolve)
    roomClient.socket.once('connect_error', (failure) => reject(failure))
  })
  return roomClient
}

export function dial({ ticket, port, transports = ['websocket'], headers = {}, options = {} }: DialOptions): Socket {
  const socket = io(`http://127.0.0.1:${port}`, {
    query: ticket === undefined ? {} : { ticket },
    transports: [...transports],
    extraHeaders: headers,
    reconnection: false,
    forceNew: true,
    ...options,
  })
  opened.add(socket)
  return socket
}

function roomClientOf(socket: Socket, guest: Guest | null): RoomClient {
  const received: ServerEventBody[] = []
  let wake = () => {}
  let gone: string | null = null
  const over = new Promise<string>((resolve) => {
    socket.on('disconnect', (reason) => {
      gone = reason
      opened.delete(socket)
      wake()
      resolve(reason)
    })
  })
  socket.onAny((event: string, body: Body) => {
    received.push({ event, body })
    wake()
  })
  const next = async (event: string): Promise<Body> => {
    for (;;) {
      const at = received.findIndex((one) => one.event === event)
      const [found] = at < 0 ? [] : received.splice(0, at + 1).slice(-1)
      if (found !== undefined) return found.body
      if (gone !== null) throw new Error(`over (${gone}) before ${event} arrived: ${JSON.stringify(received)}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    socket,
    guest,
    received,
    next,
    over,
    ask: (event, ...args) => socket.emitWithAck(event, ...args),
    leave: async () => {
      socket.disconnect()
      await over
    },
  }
}
