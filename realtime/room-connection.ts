// One client's connection: identity, seats, and closing. `client-events.ts` handles what the client sends.

import type { Socket } from 'socket.io'
import type { RoomHolder } from '../commands/room-ticket.ts'
import type { Seat } from '../stores/contract/rooms.ts'
import { Backpressure } from './backpressure.ts'
import { ClientEvents, type Reply } from './client-events.ts'
import type { Arrival } from './decoder.ts'
import { sendPing } from './engine-internals.ts'
import { type ClientEvent, type CutReason, RoomRefusal, type Sent } from './events.ts'
import type { FlushScheduler } from './flush-scheduler.ts'
import { readFrames } from './frame-reader.ts'
import { eventBatch } from './frames.ts'
import { CLOSING_MAX_MS } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import type { NetworkPace, NetworkPaces } from './network-pace.ts'
import type { PreJoinLimits } from './pre-join-limits.ts'
import { Pace } from './rate.ts'
import type { Admission, RoomGame, RoomPlayer } from './room-entry.ts'
import { SocketWriter } from './socket-writer.ts'
import type { Account, UnreadBytes } from './unread-bytes.ts'

/** Answers each event of a connection. Throws RoomRefusal. */
export type Answers = {
  readonly [Event in ClientEvent]: (connection: RoomConnection, sent: Sent<Event>, reply: Reply) => void | Promise<void>
}

export interface RoomConnectionDeps {
  readonly flushScheduler: FlushScheduler
  readonly answers: Answers
  readonly metrics: RoomsMetrics
  readonly unread: UnreadBytes
  readonly preJoin: PreJoinLimits
  readonly paces: NetworkPaces
  /** Maps a failure while an event was answered to the refusal for the client. */
  failed(error: unknown): RoomRefusal
}

/** What a connection may send that was opened with a ticket to listen. */
const OF_LISTENERS: ReadonlySet<ClientEvent> = new Set<ClientEvent>(['listen', 'watch', 'unwatch'])

/** @fields All state of one client, in one object that the events of all its rooms use. */
export class RoomConnection {
  readonly holder: RoomHolder
  readonly player: RoomPlayer | null
  /** The network address for per-address limits; null if they are off. */
  readonly address: string | null
  readonly socketWriter: SocketWriter
  /** Room settings of the game; the revocation watch updates them. */
  game: RoomGame
  /** Room id -> seat; null while the join is pending. */
  readonly seats = new Map<string, Seat | null>()
  readonly pace: Pace
  /** Shared by all connections of its network address. */
  readonly networkPace: NetworkPace
  /** Why the server closed it; null if it is open or the client closed it. */
  cutFor: CutReason | null = null
  isGone = false
  onGone: () => void = () => {}
  /** Called when the client has answered a ping of Engine.IO. */
  onPong: () => void = () => {}
  readonly #socket: Socket
  readonly #deps: RoomConnectionDeps
  readonly #account: Account
  readonly #backpressure: Backpressure

  constructor(socket: Socket, { holder, entry, network, address }: Admission, deps: RoomConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    this.holder = holder
    this.player = entry.player
    this.address = address
    this.networkPace = deps.paces.of(address)
    this.game = entry
    this.pace = new Pace(entry.settings.messages_per_second, performance.now())
    const backpressure = new Backpressure(socket.conn)
    this.#backpressure = backpressure
    socket.conn.on('heartbeat', () => this.onPong())
    this.socketWriter = new SocketWriter(socket.conn, backpressure, deps.flushScheduler, () =>
      this.#gone('slow_consumer'),
    )
    socket.on('disconnect', () => this.#gone(null))
    // Malformed or unexpected packet: close without a reply.
    socket.on('error', () => {
      this.#gone(null)
      this.socketWriter.cut()
    })
    deps.preJoin.joined(socket.conn)
    this.#account = deps.unread.account(network)
    const events = new ClientEvents(this, {
      pace: this.pace,
      networkPace: this.networkPace,
      backpressure,
      metrics: deps.metrics,
      failed: deps.failed,
      admit: (name) => {
        if (holder.listens === true && !OF_LISTENERS.has(name)) {
          throw new RoomRefusal('listen_only', 'This connection has no seat: it may only listen, watch and unwatch.')
        }
      },
      answer: (name, sent, reply) => {
        // Safe: `sent` was parsed with the schema of the same event name.
        const answers = deps.answers[name] as (connection: RoomConnection, sent: unknown, reply: Reply) => unknown
        return answers(this, sent, reply)
      },
    })
    readFrames(socket.conn, backpressure, {
      complete: () => deps.preJoin.read(socket.conn),
      waiting: { account: this.#account, over: () => this.#tooMuchReceived() },
      skips: (frame) => events.refuseUnread(frame),
      heard: (arrival) => {
        const nowMs = performance.now()
        events.count(nowMs)
        events.arrived(arrival, nowMs)
      },
      other: () => events.count(performance.now()),
      isAsked: (pong) => this.socketWriter.livenessProbe.answers(pong),
    })
    // Events that Socket.IO parsed itself; they are already counted. No `next()` call: there are no listeners.
    socket.use(([, arrival]) => events.arrived(arrival as Arrival, performance.now()))
  }

  /** Sends `closing` with the reason, flushes, and closes. */
  cut(reason: CutReason): void {
    if (this.isGone) return
    this.socketWriter.push(eventBatch('closing', { code: reason, detail: CUT_DETAILS[reason] }))
    this.#gone(reason)
    // `closing` follows the batches already queued.
    this.socketWriter.flush()
    setImmediate(() => this.#socket.disconnect(true))
  }

  /** Closes without sending the reason, for clients that no longer read. */
  drop(reason: CutReason): void {
    // Record the reason first: the socket's own close event carries none.
    this.#gone(reason)
    this.socketWriter.cut()
  }

  /** Whether reading is paused: what the client has sent may wait outside of this process. */
  get isPaused(): boolean {
    return this.#backpressure.isPaused
  }

  ping(): void {
    sendPing(this.#socket.conn)
  }

  /** Removes a seat that ended for any cause, and notifies the client. */
  unseated(seat: Seat): void {
    if (this.isGone || this.seats.get(seat.room)?.member !== seat.member) return
    this.seats.delete(seat.room)
    this.socketWriter.push(eventBatch('left', { room: seat.room }))
  }

  #gone(reason: CutReason | null): void {
    if (this.isGone) return
    this.isGone = true
    this.cutFor = reason
    if (reason !== null) this.#deps.metrics.cut(reason)
    this.#account.close()
    // A client that does not answer the WebSocket close frame would delay the shutdown.
    setTimeout(() => this.socketWriter.cut(), CLOSING_MAX_MS).unref()
    this.onGone()
  }

  #tooMuchReceived(): void {
    if (this.isGone) return
    this.#deps.metrics.dropped('received')
    this.#gone(null)
    this.socketWriter.cut()
  }
}

const CUT_DETAILS: Readonly<Record<CutReason, string>> = {
  slow_consumer: 'The client reads more slowly than its rooms send. Connect again.',
  too_fast: 'The client sent far more than its rate allows, for too long. Send more slowly.',
  revoked: 'The key, session or player of this connection was revoked or lost the permission.',
  unavailable: 'The server cannot check right now whether this connection may stay. Connect again in a moment.',
  rooms_off: 'The rooms of this game are switched off.',
  rooms_lost: 'The seats of this server were lost. Connect again.',
  closing: 'This server is stopping. Connect again.',
}
