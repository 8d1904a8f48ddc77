// The rooms' server: Socket.IO on a listener, this process as a node of the rooms, and what ends a connection that may be here
// no longer.

import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { Server } from 'socket.io'
import { StoreAway } from '../stores/contract/faults.ts'
import { ROOMS_BEAT_MS, type Rooms } from '../stores/contract/rooms.ts'
import { roomAnswers } from './answers.ts'
import { type BoardsDeps, createBoards } from './boards.ts'
import { type Admission, Connection } from './connection.ts'
import { arrivalParser } from './decoder.ts'
import { type EngineSocket, tcpOf } from './direct.ts'
import { createDoorway } from './doorway.ts'
import { RoomRefusal } from './events.ts'
import { Hall } from './hall.ts'
import * as limits from './limits.ts'
import { roomsMetrics } from './metrics.ts'
import { type RevokedDeps, watchRevoked } from './revoked.ts'
import { createTick } from './tick.ts'

export interface RoomsServerDeps extends BoardsDeps, RevokedDeps {
  readonly rooms: Rooms
  /** Takes the ticket and answers whom it lets in; null for one that is dead. Rejects where nobody can tell. */
  redeem(ticket: string): Promise<Admission | null>
  /** Whether this handshake's address may make one more. */
  admits(request: IncomingMessage): Promise<boolean>
  corsAllowedByAny(origin: string): Promise<boolean>
  readonly ownOrigin: string
  /** Serves a request for something else that asked for an upgrade as if it had not. */
  unupgraded(server: HttpServer, request: IncomingMessage, socket: Duplex, head: Buffer): void
  readonly log: Logger
  readonly metrics: Registry
}

export interface RoomsServer {
  /** Serves `/socket.io/` on this listener. */
  attach(server: HttpServer): void
  /** Why the rooms are not well; rejects with it. */
  check(): Promise<void>
  /** Lets nobody in any more, tells whoever is here, gives all seats back, and closes all connections. */
  close(): Promise<void>
}

/** Makes this process a node of the rooms. Rejects where the store does not answer. */
export async function createRoomsServer(deps: RoomsServerDeps): Promise<RoomsServer> {
  const { log } = deps
  const connections = new Set<Connection>()
  const failure = (why: unknown) => (why instanceof Error ? why.stack : String(why))
  const tick = createTick((why) => log.error({ failure: failure(why) }, 'rooms: telling failed'))
  const hall = new Hall(tick)
  const metrics = roomsMetrics(deps.metrics, () => ({
    sockets: connections.size,
    rooms: hall.rooms,
    unsentMost: [...connections].reduce((most, { wire }) => Math.max(most, wire.unsentBytes), 0),
  }))
  const failed = (why: unknown): RoomRefusal => {
    if (!(why instanceof StoreAway)) log.error({ failure: failure(why) }, 'rooms: an event could not be answered')
    return new RoomRefusal('unavailable', 'A store does not answer. Try again in a moment.')
  }
  const node = await deps.rooms.enter({
    heard: (event) => hall.heard(event),
    lost: (why) => {
      log.error({ why }, 'rooms: all seats of this node are lost')
      for (const connection of [...connections]) if (connection.seats.size > 0) connection.cut('rooms_lost')
    },
  })
  let beaten: Error | null = null
  const beat = () =>
    node.beat().then(
      () => {
        beaten = null
      },
      (why: unknown) => {
        beaten = why instanceof Error ? why : new Error(String(why))
        log.warn({ failure: beaten.message }, 'rooms: the heartbeat failed: trying again')
      },
    )
  const beating = setInterval(() => void beat(), ROOMS_BEAT_MS)
  const boards = createBoards(deps)
  const answers = { ...roomAnswers({ rooms: deps.rooms, node, hall, metrics }), ...boards.answers }
  const doorway = createDoorway({
    ...deps,
    metrics,
    failed: (why) => log.warn({ failure: failure(why) }, 'rooms: a ticket could not be redeemed'),
  })
  const revoked = watchRevoked(deps)
  const looking = setInterval(() => {
    const nowMs = performance.now()
    for (const connection of [...connections]) {
      if (connection.wire.isStalled(nowMs, limits.STALLED_MOST_MS)) connection.drop('slow_consumer')
    }
  }, limits.STALL_LOOK_EVERY_MS)

  let isClosing = false
  const io = new Server({
    serveClient: false,
    parser: arrivalParser,
    transports: ['polling', 'websocket'],
    allowEIO3: false,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: limits.CONNECT_MOST_MS,
    pingInterval: limits.PING_EVERY_MS,
    pingTimeout: limits.PONG_WITHIN_MS,
    maxHttpBufferSize: limits.FRAME_MOST_BYTES,
    destroyUpgrade: false,
    cors: doorway.cors,
    allowRequest: (request: IncomingMessage, decided) => {
      if (isClosing) decided('closing: this server stops. Ask for a new ticket.', false)
      else doorway.allowRequest(request, decided)
    },
  })
  io.on('connection', (socket) => {
    const admission = doorway.admitted(socket.request)
    // A connection that left and comes again by the same ticket is none.
    if (admission === null || isClosing) {
      socket.disconnect(true)
      return
    }
    const connection = new Connection(socket, admission, { tick, answers, metrics, failed })
    connections.add(connection)
    connection.onGone = () => {
      connections.delete(connection)
      revoked.gone(connection)
      boards.gone(connection)
      const reason = connection.cutFor ?? 'disconnected'
      for (const seat of connection.seats.values()) {
        if (seat === null) continue
        hall.unseat(seat)
        void node.leave(seat, reason).catch(() => {})
      }
      // One who left the namespace has nothing more to do here.
      if (connection.cutFor === null) socket.conn.close()
    }
    revoked.entered(connection)
  })

  return {
    attach: (server) => {
      io.attach(server)
      // Whoever does not answer the closing of a WebSocket could send on for as long as ws waits for that.
      io.engine.on('connection', (conn: EngineSocket) => {
        conn.once('close', () => void setTimeout(() => tcpOf(conn)?.destroy(), limits.CLOSING_MOST_MS).unref())
      })
      server.on('upgrade', (request, socket, head) => {
        if (request.url?.startsWith(ROOMS_PATH) !== true) deps.unupgraded(server, request, socket, head)
      })
    },
    check: async () => {
      if (beaten !== null) throw beaten
    },
    close: async () => {
      isClosing = true
      clearInterval(beating)
      clearInterval(looking)
      revoked.stop()
      boards.stop()
      for (const connection of [...connections]) connection.cut('closing')
      await node
        .close()
        .catch((why: unknown) => log.warn({ failure: failure(why) }, 'rooms: seats were not given back'))
      await untilNone(() => io.engine.clientsCount, limits.CLOSING_MOST_MS)
      io.engine.close()
    },
  }
}

/** Until nobody is left, or the time is over. */
async function untilNone(left: () => number, mostMs: number): Promise<void> {
  const end = performance.now() + mostMs
  while (left() > 0 && performance.now() < end) await new Promise((next) => setTimeout(next, CLOSING_LOOK_EVERY_MS))
}

const CLOSING_LOOK_EVERY_MS = 10

/** Socket.IO's own, which clients ask for where they are told nothing else. */
const ROOMS_PATH = '/socket.io/'
