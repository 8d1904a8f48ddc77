// One client's connection: who it is, where it sits, how fast it may send; and its way from an event that arrived to
// the answer, which goes out both as an event and, where asked for, as the acknowledgement.

import type { Socket } from 'socket.io'
import type { RoomGame, RoomPlayer } from '../access/room-entry.ts'
import type { RoomHolder } from '../commands/room-ticket.ts'
import type { Seat } from '../stores/contract/rooms.ts'
import type { Admission } from './admission.ts'
import { Brake } from './brake.ts'
import { CUT_DETAILS } from './cuts.ts'
import type { Arrival } from './decoder.ts'
import type { Early } from './early.ts'
import { type ClientEvent, type CutReason, RoomRefusal, type Sent, type ServerEvent } from './events.ts'
import { ackText, answerTexts, batchOf, eventBatch, okJson } from './frames.ts'
import { hearDirectly, isSendFrame } from './hearing.ts'
import { CLOSING_MOST_MS, EVENT_TOLD_MOST_CHARACTERS, EVENT_WORK, HASTE_RESTS_MS, IN_HAND_MOST } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import type { NetworkPace, NetworkPaces } from './network-pace.ts'
import { Pace } from './rate.ts'
import { bodyOf, nameOf } from './reading.ts'
import type { Account, Received } from './received.ts'
import { refusedText, tooFast } from './refusal.ts'
import type { Tick } from './tick.ts'
import { Wire } from './wire.ts'

/** Gives the answer of the event named, whose body is JSON, where it is wanted. Once. */
export type Reply = (event: ServerEvent, body: () => string) => void

/** Answers each event of a connection. Throws RoomRefusal. */
export type Answers = {
  readonly [Event in ClientEvent]: (connection: Connection, sent: Sent<Event>, reply: Reply) => void | Promise<void>
}

export interface ConnectionDeps {
  readonly tick: Tick
  readonly answers: Answers
  readonly metrics: RoomsMetrics
  readonly received: Received
  readonly early: Early
  readonly paces: NetworkPaces
  /** What went wrong while an event was answered, and the code that the client is told. */
  failed(why: unknown): RoomRefusal
}

export class Connection {
  readonly holder: RoomHolder
  readonly player: RoomPlayer | null
  /** The network address that its rooms are counted by; null: they are not. */
  readonly address: string | null
  readonly wire: Wire
  /** The game's rooms as they are set; kept up to date by whoever reads them. */
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
  readonly #brake: Brake
  readonly #deps: ConnectionDeps
  readonly #account: Account
  #inHand = 0
  /** Whether the frame counted last was one too many of its second. */
  #isOver = false
  /** Whether the message that came last was one too many for its rate. */
  #isTooFast = false

  constructor(socket: Socket, { holder, entry, network, address }: Admission, deps: ConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    this.holder = holder
    this.player = entry.player
    this.address = address
    this.networkPace = deps.paces.of(address)
    this.game = entry
    this.pace = new Pace(entry.settings.messages_per_second, performance.now())
    this.#brake = new Brake(socket.conn)
    this.wire = new Wire(socket.conn, this.#brake, deps.tick, () => this.#gone('slow_consumer'))
    socket.on('disconnect', () => this.#gone(null))
    // What is no packet, or none that a client of the rooms sends: it is told nothing more.
    socket.on('error', () => {
      this.#gone(null)
      this.wire.cut()
    })
    deps.early.joined(socket.conn)
    this.#account = deps.received.account(network)
    hearDirectly(socket.conn, this.#brake, {
      complete: () => deps.early.read(socket.conn),
      waiting: { account: this.#account, over: () => this.#tooMuchReceived() },
      skips: (frame) => this.#isTooFast && isSendFrame(frame) && this.#refuseUnread(),
      heard: (arrival) => {
        const nowMs = performance.now()
        this.#count(nowMs)
        this.#arrived(arrival, nowMs)
      },
      other: () => this.#count(performance.now()),
      isAsked: (pong) => this.wire.probe.answers(pong),
    })
    // What comes the long way, counted before. Nothing goes on to Socket.IO's own listeners, of which there are none.
    socket.use(([, arrival]) => this.#arrived(arrival as Arrival, performance.now()))
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

  /** The seat is no more, whoever gave it up. */
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

  /** Counts a frame, whatever is in it. */
  #count(nowMs: number): void {
    if (this.isGone) return
    const load = this.pace.arrived(this.game.settings.messages_per_second, nowMs)
    this.#isOver = load === 'over' || load === 'flood'
    if (load === 'flood') this.cut('too_fast')
    // Reads no more until this second is over.
    else if (load === 'over') this.#rest(this.pace.secondLeftMs(nowMs))
    else if (load === 'hasty') this.#rest(HASTE_RESTS_MS)
    const restMs = this.networkPace.frame(nowMs)
    if (restMs > 0) this.#rest(restMs)
  }

  /** Reads nothing of what the client sends for as long. */
  #rest(ms: number): void {
    if (this.#brake.hold('resting')) setTimeout(() => this.#brake.release('resting'), ms).unref()
  }

  #arrived(arrival: Arrival, nowMs: number): void {
    if (this.isGone) return
    // Whoever sends so much was told often enough, unless each is asked about.
    if (this.#isOver && arrival.ackId === null) this.#deps.metrics.refused('too_fast')
    else this.#answer(arrival, this.game.settings.messages_per_second, nowMs)
  }

  /** A message that is one too many is refused for less than it takes to read it; false where it is none. */
  #refuseUnread(): boolean {
    const nowMs = performance.now()
    const rate = this.game.settings.messages_per_second
    if (this.isGone || this.pace.hasMessage(rate, nowMs)) return this.isGone
    this.#count(nowMs)
    if (this.isGone) return true
    this.#deps.metrics.refused('too_fast')
    if (!this.#isOver) this.wire.push(tooFast(rate).told)
    return true
  }

  #answer(arrival: Arrival, rate: number, nowMs: number): void {
    const { event, ackId } = arrival
    if (!this.#keepsPace(event, rate, nowMs)) {
      this.#refuse(event, ackId, tooFast(event === 'send' ? rate : null).refusal)
      return
    }
    this.#inHand++
    const refuse = (why: unknown) => {
      this.#inHand--
      this.#refuse(event, ackId, why instanceof RoomRefusal ? why : this.#deps.failed(why))
    }
    try {
      const name = nameOf(event)
      const sent = bodyOf(name, arrival)
      const reply = name === 'send' ? this.#sentReply(ackId) : this.#reply(ackId)
      // Which schema read it is which answer it gets.
      const answers = this.#deps.answers[name] as (connection: Connection, sent: unknown, reply: Reply) => unknown
      const answering = answers(this, sent, reply)
      if (answering instanceof Promise) answering.then(this.#done, refuse)
      else this.#inHand--
    } catch (why) {
      refuse(why)
    }
  }

  readonly #done = () => {
    this.#inHand--
  }

  #reply(ackId: number | null): Reply {
    return (told, body) => this.wire.push(batchOf(answerTexts(ackId, told, body())))
  }

  /** The room itself tells of a message, its sender among the members: what is left is the acknowledgement. */
  #sentReply(ackId: number | null): Reply {
    return (_told, body) => {
      if (ackId !== null) this.wire.push(batchOf([ackText(ackId, okJson(body()))]))
    }
  }

  #keepsPace(event: string, rate: number, nowMs: number): boolean {
    const isMessage = event === 'send'
    const fits = isMessage
      ? this.pace.message(rate, nowMs)
      : this.pace.other(nowMs) && this.networkPace.work(EVENT_WORK[event] ?? 1, nowMs)
    if (isMessage) this.#isTooFast = !fits
    return fits && this.#inHand < IN_HAND_MOST
  }

  #refuse(event: string, ackId: number | null, refusal: RoomRefusal): void {
    const { code, message: detail } = refusal
    this.#deps.metrics.refused(code)
    const told = event.length > EVENT_TOLD_MOST_CHARACTERS ? `${event.slice(0, EVENT_TOLD_MOST_CHARACTERS)}…` : event
    const texts = [refusedText(told, refusal)]
    if (ackId !== null) texts.unshift(ackText(ackId, JSON.stringify({ ok: false, code, detail })))
    this.wire.push(batchOf(texts))
  }
}
