// A game whose rooms are on, and clients in them: real ones of Socket.IO, each with its received messages kept
// in order until it is asked for.

import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import type { Body } from '../front-door/http-client.ts'
import { clientToken, type Guest, type MadeGame, makeGame, signInGuest } from '../front-door/scenery.ts'
import { must, openWorld, type World } from '../front-door/world.ts'

export interface Party {
  readonly world: World
  readonly game: MadeGame
  /** A client key's token, without a player. */
  readonly client: string
  set(realtime: object, more?: object): Promise<void>
  guest(name?: string): Promise<Guest>
  ticket(token: string): Promise<string>
  /** A player of their own, connected. */
  enter(wish?: Wish): Promise<Visitor>
}

export interface Wish {
  readonly name?: string
  readonly token?: string
  readonly ticket?: string
  readonly port?: number
  readonly transports?: readonly ('polling' | 'websocket')[]
  readonly headers?: Record<string, string>
  /** Replaces the default options of Socket.IO. */
  readonly options?: Partial<ManagerOptions & SocketOptions>
}

export interface Told {
  readonly event: string
  readonly body: Body
}

export interface Visitor {
  readonly socket: Socket
  readonly guest: Guest | null
  /** All received messages not yet taken. */
  readonly told: Told[]
  /** The next event of this name, with those before it passed over. Rejects where the connection is over first. */
  next(event: string): Promise<Body>
  /** Sends, and answers the acknowledgement. */
  ask(event: string, ...args: unknown[]): Promise<Body>
  /** Settles when the connection is over. */
  readonly over: Promise<string>
  leave(): Promise<void>
}

const opened = new Set<Socket>()

/** To be called after each suite: no client is left. */
export function closeVisitors(): void {
  for (const socket of opened) socket.disconnect()
  opened.clear()
}

/** For all of a suite: a world, and in it a party a test, which is given before the test begins. */
export function partyForEach(take: (party: Party) => void): void {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  beforeEach(async () => take(await openParty(world)))
  afterEach(() => closeVisitors())
}

/** Clients who say nothing else come to these ports in turn; to the world's, where none are given. */
export async function openParty(world: World, realtime: object = {}, ports: readonly number[] = []): Promise<Party> {
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
  const enter = async (wish: Wish = {}) => {
    const own = wish.token === undefined && wish.ticket === undefined ? await guest(wish.name) : null
    const used = wish.ticket ?? (await ticket(wish.token ?? own?.token ?? ''))
    const port = wish.port ?? ports[entered++ % ports.length] ?? world.port
    return connected({ ...wish, ticket: used, port }, own)
  }
  return { world, game, client, set, guest, ticket, enter }
}

/** Rejects with what the handshake was answered. */
export async function connected(
  wish: Wish & { readonly ticket: string; readonly port: number },
  guest: Guest | null = null,
): Promise<Visitor> {
  const visitor = visitorOf(dial(wish), guest)
  await new Promise<void>((resolve, reject) => {
    visitor.socket.once('connect', resolve)
    visitor.socket.once('connect_error', (failure) => reject(failure))
  })
  return visitor
}

export function dial({ ticket, port, transports = ['websocket'], headers = {}, options = {} }: Wish): Socket {
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

function visitorOf(socket: Socket, guest: Guest | null): Visitor {
  const told: Told[] = []
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
    told.push({ event, body })
    wake()
  })
  const next = async (event: string): Promise<Body> => {
    for (;;) {
      const at = told.findIndex((one) => one.event === event)
      const [found] = at < 0 ? [] : told.splice(0, at + 1).slice(-1)
      if (found !== undefined) return found.body
      if (gone !== null) throw new Error(`over (${gone}) before ${event} arrived: ${JSON.stringify(told)}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    socket,
    guest,
    told,
    next,
    over,
    ask: (event, ...args) => socket.emitWithAck(event, ...args),
    leave: async () => {
      socket.disconnect()
      await over
    },
  }
}
