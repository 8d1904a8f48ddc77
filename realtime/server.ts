// The rooms server: attaches Socket.IO to an HTTP listener, registers this process as a rooms node, and closes
// connections that are revoked or stalled.

import type { Server as HttpServer } from 'node:http'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Socket } from 'socket.io'
import { failureText } from '../runtime/repeated-failures.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import { ROOMS_BEAT_MS, type Rooms, type RoomsNode } from '../stores/contract/rooms.ts'
import { roomAnswers } from './answers.ts'
import { type Boards, type BoardsDeps, createBoards } from './boards.ts'
import {
  type ConnectionAdmission,
  type ConnectionAdmissionDeps,
  createConnectionAdmission,
} from './connection-admission.ts'
import { RoomRefusal } from './events.ts'
import { createFlushScheduler } from './flush-scheduler.ts'
import { STALL_CHECK_EVERY_MS } from './limits.ts'
import { roomsMetrics } from './metrics.ts'
import { createNetworkPaces } from './network-pace.ts'
import { createPostBodyReader } from './polling-transport.ts'
import { createPreJoinLimits } from './pre-join-limits.ts'
import { activeClock, type RevocationDeps, type RevocationWatch, watchRevocations } from './revocation-watch.ts'
import { RoomConnection, type RoomConnectionDeps } from './room-connection.ts'
import { RoomRegistry } from './room-registry.ts'
import { SeatChecks } from './seat-checks.ts'
import { createSocketLimiter } from './socket-limiter.ts'
import { attachSockets, closeSockets, socketServer, type Unupgraded } from './sockets.ts'
import { createUnreadBytes } from './unread-bytes.ts'
import { WaitingJoins } from './waiting-joins.ts'

type AdmissionDeps = Pick<
  ConnectionAdmissionDeps,
  'redeem' | 'admits' | 'networkOf' | 'countsNetworks' | 'corsAllowedByAny' | 'ownOrigin' | 'consoleOrigin'
>

export interface RoomsServerDeps extends BoardsDeps, RevocationDeps, AdmissionDeps {
  readonly rooms: Rooms
  /** Open rooms that one network address made. */
  readonly maxRoomsOfAddress: number
  readonly unupgraded: Unupgraded
  readonly log: Logger
  readonly metrics: Registry
}

export interface RoomsServer {
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
  const flushFailed = (error: unknown) => log.error({ failure: failureText(error) }, 'rooms: a flush failed')
  const flushScheduler = createFlushScheduler(flushFailed)
  const roomRegistry = new RoomRegistry(flushScheduler)
  const unread = createUnreadBytes()
  const metrics = roomsMetrics(deps.metrics, () => ({
    sockets: connections.size,
    unread: unread.bytes,
    rooms: roomRegistry.rooms,
    maxUnsentBytes: [...connections].reduce((most, { socketWriter }) => Math.max(most, socketWriter.unsentBytes), 0),
  }))
  const node = await enterNode(deps, roomRegistry, connections)
  const heartbeats = sendHeartbeats(node, log)
  const boards = createBoards(deps)
  const { rooms, maxRoomsOfAddress } = deps
  const answering = { rooms, node, waitingJoins: new WaitingJoins(node), roomRegistry, metrics, maxRoomsOfAddress }
  const answers = { ...roomAnswers(answering), ...boards.answers }
  const revoked = watchRevocations(deps)
  const stalled = dropStalled(connections)
  let isClosing = false
  const admission = createConnectionAdmission({
    ...deps,
    socketLimiter: createSocketLimiter(),
    metrics,
    isClosing: () => isClosing,
    failed: (error) => log.warn({ failure: failureText(error) }, 'rooms: a ticket could not be redeemed'),
  })
  const preJoin = createPreJoinLimits({ unread, networkOf: deps.networkOf, dropped: metrics.dropped })
  const bodyReader = createPostBodyReader(unread)
  const io = socketServer(admission)
  const receive = receiver({
    connections,
    boards,
    revoked,
    roomRegistry,
    node,
    admission,
    to: { flushScheduler, answers, metrics, unread, preJoin, paces: createNetworkPaces(), failed: refusing(log) },
  })
  io.on('connection', (socket) => {
    if (isClosing) socket.disconnect(true)
    else receive(socket)
  })
  return {
    attach: (server) => {
      const { dropped, rejected } = metrics
      attachSockets(io, server, { ...deps, admission, preJoin, bodyReader, dropped, rejected })
    },
    check: heartbeats.check,
    close: async () => {
      isClosing = true
      for (const one of [heartbeats, stalled, revoked, boards]) one.stop()
      for (const connection of [...connections]) connection.cut('closing')
      await node
        .close()
        .catch((error: unknown) => log.warn({ failure: failureText(error) }, 'rooms: seats could not be released'))
      await closeSockets(io)
    },
  }
}

async function enterNode(
  { rooms, log }: Pick<RoomsServerDeps, 'rooms' | 'log'>,
  roomRegistry: RoomRegistry,
  connections: ReadonlySet<RoomConnection>,
): Promise<RoomsNode> {
  let seatChecks: SeatChecks | null = null
  const node = await rooms.enter({
    heard: (event) => roomRegistry.heard(event),
    lost: (reason) => {
      log.error({ why: reason }, 'rooms: all seats of this node are lost')
      for (const connection of [...connections]) if (connection.seats.size > 0) connection.cut('rooms_lost')
    },
    // A node without seats is not asked.
    asked: (seat) => seatChecks?.asked(seat),
  })
  seatChecks = new SeatChecks({ node, roomRegistry })
  return node
}

/** Maps a failure while an event was answered to the refusal that the client receives. */
const refusing =
  (log: Logger) =>
  (error: unknown): RoomRefusal => {
    if (!(error instanceof StoreUnavailable))
      log.error({ failure: failureText(error) }, 'rooms: an event could not be answered')
    return new RoomRefusal('unavailable', 'A store does not answer. Try again in a moment.')
  }

function dropStalled(connections: ReadonlySet<RoomConnection>): { stop(): void } {
  const clock = activeClock(STALL_CHECK_EVERY_MS)
  const checkAll = () => {
    clock.advance(performance.now())
    const nowMs = clock.nowMs()
    for (const connection of [...connections])
      if (connection.socketWriter.isStalled(nowMs)) connection.drop('slow_consumer')
  }
  // Check after the I/O phase of the event loop: data that has already arrived may contain the missing pong.
  const timer = setInterval(() => setImmediate(checkAll), STALL_CHECK_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}

interface Receiving {
  readonly connections: Set<RoomConnection>
  readonly boards: Boards
  readonly revoked: RevocationWatch
  readonly roomRegistry: RoomRegistry
  readonly node: RoomsNode
  readonly admission: ConnectionAdmission
  readonly to: RoomConnectionDeps
}

/** Creates a RoomConnection for each admitted socket, and cleans up when it ends. */
function receiver({
  connections,
  boards,
  revoked,
  roomRegistry,
  node,
  admission,
  to,
}: Receiving): (socket: Socket) => void {
  return (socket) => {
    const admitted = admission.admitted(socket.request)
    // A client that left the namespace cannot join again with the same ticket.
    if (admitted === null) {
      socket.disconnect(true)
      return
    }
    const connection = new RoomConnection(socket, admitted, to)
    connections.add(connection)
    connection.onGone = () => {
      connections.delete(connection)
      revoked.gone(connection)
      boards.gone(connection)
      const reason = connection.cutFor ?? 'disconnected'
      for (const seat of connection.seats.values()) {
        if (seat === null) continue
        roomRegistry.unseat(seat)
        void node.leave(seat, reason).catch(() => {})
      }
      // A client that left the namespace has no further use for the connection.
      if (connection.cutFor === null) socket.conn.close()
    }
    revoked.entered(connection)
  }
}

interface Heartbeats {
  /** Rejects with the error of the last heartbeat if it failed. */
  check(): Promise<void>
  stop(): void
}

/** Sends the heartbeats of this process as a rooms node, and reports whether the last one failed. */
function sendHeartbeats(node: RoomsNode, log: Logger): Heartbeats {
  let failed: Error | null = null
  const heartbeat = async () => {
    try {
      await node.heartbeat()
      failed = null
    } catch (error) {
      failed = error instanceof Error ? error : new Error(String(error))
      log.warn({ failure: failed.message }, 'rooms: the heartbeat failed: trying again')
    }
  }
  const timer = setInterval(() => void heartbeat(), ROOMS_BEAT_MS)
  return {
    check: async () => {
      if (failed !== null) throw failed
    },
    stop: () => clearInterval(timer),
  }
}
