// One client's connection: who it is, where it sits, and how it ends. `client-events.ts` takes what the client sends.

import type { Socket } from 'socket.io'
import type { RoomGame, RoomPlayer } from '../access/room-entry.ts'
import type { RoomHolder } from '../commands/room-ticket.ts'
import type { Seat } from '../stores/contract/rooms.ts'
import type { Admission } from './admission.ts'
import { Brake } from './brake.ts'
import { ClientEvents, type Reply } from './client-events.ts'
import { CUT_DETAILS } from './cuts.ts'
import type { Arrival } from './decoder.ts'
import type { Early } from './early.ts'
import type { ClientEvent, CutReason, RoomRefusal, Sent } from './events.ts'
import { eventBatch } from './frames.ts'
import { hearDirectly } from './hearing.ts'
import { CLOSING_MOST_MS } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import type { NetworkPace, NetworkPaces } from './network-pace.ts'
import { Pace } from './rate.ts'
import type { Account, Received } from './received.ts'
import type { Tick } from './tick.ts'
import { Wire } from './wire.ts'

/** Answers each event of a connection. Throws RoomRefusal. */
export type Answers = {
  readonly [Event in ClientEvent]: (connection: RoomConnection, sent: Sent<Event>, reply: Reply) => void | Promise<void>
}

export interface RoomConnectionDeps {
  readonly tick: Tick
  readonly answers: Answers
  readonly metrics: RoomsMetrics
  readonly received: Received
  readonly early: Early
  readonly paces: NetworkPaces
  /** A failure while answering an event, and the code sent to the client. */
  failed(why: unknown): RoomRefusal
}

/** @fields What the rooms know of one client: events of all rooms look it up here, in one place. */
export class RoomConnection {
  readonly holder: RoomHolder
  readonly player: RoomPlayer | null
  /** The network address that its rooms are counted by; null: they are not. */
  readonly address: string | null
  readonly wire: Wire
  /** The game's room settings; kept up to date by their reader. */
  game: RoomGame
  /** Room -> the seat there; null while it is being taken. */
  readonly seats = new Map<string, Seat | null>()
  readonly pace: Pace
  /** Shared by all connections of its network address. */
  readonly networkPace: NetworkPace
  /** Why it was cut; null: it was not, or the client went. */
  cutFor: CutReason | null = null
  isGone = false
  /** Told once when the connection is over. */
  onGone: () => void = () => {}
  readonly #socket: Socket
  readonly #deps: RoomConnectionDeps
  readonly #account: Account

  constructor(socket: Socket, { holder, entry, network, address }: Admission, deps: RoomConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    this.holder = holder
    this.player = entry.player
    this.address = address
    this.networkPace = deps.paces.of(address)
    this.game = entry
    this.pace = new Pace(entry.settings.messages_per_second, performance.now())
    const brake = new Brake(socket.conn)
    this.wire = new Wire(socket.conn, brake, deps.tick, () => this.#gone('slow_consumer'))
    socket.on('disconnect', () => this.#gone(null))
    // Malformed packet: close without a reply.
    socket.on('error', () => {
      this.#gone(null)
      this.wire.cut()
    })
    deps.early.joined(socket.conn)
    this.#account = deps.received.account(network)
    const events = new ClientEvents(this, {
      pace: this.pace,
      networkPace: this.networkPace,
      brake,
      metrics: deps.metrics,
      failed: deps.failed,
      answer: (name, sent, reply) => {
        // Which schema read it is which answer it gets.
        const answers = deps.answers[name] as (connection: RoomConnection, sent: unknown, reply: Reply) => unknown
        return answers(this, sent, reply)
      },
    })
    hearDirectly(socket.conn, brake, {
      complete: () => deps.early.read(socket.conn),
      waiting: { account: this.#account, over: () => this.#tooMuchReceived() },
      skips: (frame) => events.refuseUnread(frame),
      heard: (arrival) => {
        const nowMs = performance.now()
        events.count(nowMs)
        events.arrived(arrival, nowMs)
      },
      other: () => events.count(performance.now()),
      isAsked: (pong) => this.wire.probe.answers(pong),
    })
    // What comes the long way, counted before. Nothing goes on to Socket.IO's own listeners, of which there are none.
    socket.use(([, arrival]) => events.arrived(arrival as Arrival, performance.now()))
  }

  /** Tells why, lets it go out, and closes. */
  cut(reason: CutReason): void {
    if (this.isGone) return
    this.wire.push(eventBatch('closing', { code: reason, detail: CUT_DETAILS[reason] }))
    this.#gone(reason)
    // After what was pushed before.
    this.wire.flush()
    setImmediate(() => this.#socket.disconnect(true))
  }

  /** Cuts without a word, where nothing is read anyway. */
  drop(reason: CutReason): void {
    // First, as closing tells of itself without a reason.
    this.#gone(reason)
    this.wire.cut()
  }

  /** The seat is gone, for any reason. */
  unseated(seat: Seat): void {
    if (this.isGone || this.seats.get(seat.room)?.member !== seat.member) return
    this.seats.delete(seat.room)
    this.wire.push(eventBatch('left', { room: seat.room }))
  }

  #gone(reason: CutReason | null): void {
    if (this.isGone) return
    this.isGone = true
    this.cutFor = reason
    if (reason !== null) this.#deps.metrics.cut(reason)
    this.#account.close()
    // Whoever does not answer the closing of a WebSocket would hold up the end of this process.
    setTimeout(() => this.wire.cut(), CLOSING_MOST_MS).unref()
    this.onGone()
  }

  #tooMuchReceived(): void {
    if (this.isGone) return
    this.#deps.metrics.dropped('received')
    this.#gone(null)
    this.wire.cut()
  }
}
