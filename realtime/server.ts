// The rooms server: attaches Socket.IO to an HTTP listener, registers this process as a rooms node, and closes
// connections that are revoked or stalled.

import type { Server as HttpServer } from 'node:http'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Socket } from 'socket.io'
import { failureText } from '../observability/repeated-failures.ts'
import { StoreAway } from '../stores/contract/faults.ts'
import type { Hearing, Rooms, RoomsNode } from '../stores/contract/rooms.ts'
import { roomAnswers } from './answers.ts'
import { type Boards, type BoardsDeps, createBoards } from './boards.ts'
import { createCrowd } from './crowd.ts'
import { createDoorway, type Doorway, type DoorwayDeps } from './doorway.ts'
import { createEarly } from './early.ts'
import { RoomRefusal } from './events.ts'
import { Hall } from './hall.ts'
import { STALL_LOOK_EVERY_MS } from './limits.ts'
import { roomsMetrics } from './metrics.ts'
import { createNetworkPaces } from './network-pace.ts'
import { createPosts } from './posts.ts'
import { keepBeating } from './pulse.ts'
import { createReceived } from './received.ts'
import { type RevokedDeps, type RevokedWatch, wakingClock, watchRevoked } from './revoked.ts'
import { RoomConnection, type RoomConnectionDeps } from './room-connection.ts'
import { attachSockets, closeSockets, socketServer, type Unupgraded } from './sockets.ts'
import { createTick } from './tick.ts'

type DoorDeps = Pick<
  DoorwayDeps,
  'redeem' | 'admits' | 'networkOf' | 'countsNetworks' | 'corsAllowedByAny' | 'ownOrigin'
>

export interface RoomsServerDeps extends BoardsDeps, RevokedDeps, DoorDeps {
  readonly rooms: Rooms
  readonly unupgraded: Unupgraded
  readonly log: Logger
  readonly metrics: Registry
}

export interface RoomsServer {
  /** Serves `/socket.io/` on this listener. */
  attach(server: HttpServer): void
  /** Readiness check: rejects with the reason if this rooms node is unhealthy. */
  check(): Promise<void>
  /** Rejects new connections, sends `closing` to the open ones, releases all seats, and closes all connections. */
  close(): Promise<void>
}

/** Registers this process as a rooms node. Rejects if the store does not answer. */
export async function createRoomsServer(deps: RoomsServerDeps): Promise<RoomsServer> {
  const { log } = deps
  const connections = new Set<RoomConnection>()
  const tick = createTick((error) => log.error({ failure: failureText(error) }, 'rooms: a flush failed'))
  const hall = new Hall(tick)
  const received = createReceived()
  const metrics = roomsMetrics(deps.metrics, () => ({
    sockets: connections.size,
    received: received.bytes,
    rooms: hall.rooms,
    unsentMost: [...connections].reduce((most, { wire }) => Math.max(most, wire.unsentBytes), 0),
  }))
  const node = await deps.rooms.enter(hearing(hall, connections, log))
  const pulse = keepBeating(node, log)
  const boards = createBoards(deps)
  const answers = { ...roomAnswers({ rooms: deps.rooms, node, hall, metrics }), ...boards.answers }
  const revoked = watchRevoked(deps)
  const stalled = dropStalled(connections)
  let isClosing = false
  const doorway = createDoorway({
    ...deps,
    crowd: createCrowd(),
    metrics,
    isClosing: () => isClosing,
    failed: (error) => log.warn({ failure: failureText(error) }, 'rooms: a ticket could not be redeemed'),
  })
  const early = createEarly({ received, networkOf: deps.networkOf, dropped: metrics.dropped })
  const posts = createPosts(received)
  const io = socketServer(doorway)
  const receive = receiver({
    connections,
    boards,
    revoked,
    hall,
    node,
    doorway,
    to: { tick, answers, metrics, received, early, paces: createNetworkPaces(), failed: refusing(log) },
  })
  io.on('connection', (socket) => {
    if (isClosing) socket.disconnect(true)
    else receive(socket)
  })
  return {
    attach: (server) => {
      const { dropped, rejected } = metrics
      attachSockets(io, server, { ...deps, doorway, early, posts, dropped, rejected })
    },
    check: pulse.check,
    close: async () => {
      isClosing = true
      for (const one of [pulse, stalled, revoked, boards]) one.stop()
      for (const connection of [...connections]) connection.cut('closing')
      await node
        .close()
        .catch((error: unknown) => log.warn({ failure: failureText(error) }, 'rooms: seats could not be released'))
      await closeSockets(io)
    },
  }
}

const hearing = (hall: Hall, connections: ReadonlySet<RoomConnection>, log: Logger): Hearing => ({
  heard: (event) => hall.heard(event),
  lost: (reason) => {
    log.error({ why: reason }, 'rooms: all seats of this node are lost')
    for (const connection of [...connections]) if (connection.seats.size > 0) connection.cut('rooms_lost')
  },
})

/** Maps a failure while an event was answered to the refusal that the client receives. */
const refusing =
  (log: Logger) =>
  (error: unknown): RoomRefusal => {
    if (!(error instanceof StoreAway))
      log.error({ failure: failureText(error) }, 'rooms: an event could not be answered')
    return new RoomRefusal('unavailable', 'A store does not answer. Try again in a moment.')
  }

function dropStalled(connections: ReadonlySet<RoomConnection>): { stop(): void } {
  const clock = wakingClock(STALL_LOOK_EVERY_MS)
  const look = () => {
    clock.tick(performance.now())
    const nowMs = clock.nowMs()
    for (const connection of [...connections]) if (connection.wire.isStalled(nowMs)) connection.drop('slow_consumer')
  }
  // After the I/O phase of the event loop: data that has already arrived may contain the missing pong.
  const looking = setInterval(() => setImmediate(look), STALL_LOOK_EVERY_MS)
  return { stop: () => clearInterval(looking) }
}

interface Receiving {
  readonly connections: Set<RoomConnection>
  readonly boards: Boards
  readonly revoked: RevokedWatch
  readonly hall: Hall
  readonly node: RoomsNode
  readonly doorway: Doorway
  readonly to: RoomConnectionDeps
}

/** Creates a RoomConnection for each admitted socket, and cleans up when it ends. */
function receiver({ connections, boards, revoked, hall, node, doorway, to }: Receiving): (socket: Socket) => void {
  return (socket) => {
    const admission = doorway.admitted(socket.request)
    // A client that left the namespace cannot join again with the same ticket.
    if (admission === null) {
      socket.disconnect(true)
      return
    }
    const connection = new RoomConnection(socket, admission, to)
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
      // A client that left the namespace has no further use for the connection.
      if (connection.cutFor === null) socket.conn.close()
    }
    revoked.entered(connection)
  }
}
