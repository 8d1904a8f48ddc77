// What one client sends: counted by its rates, and brought from an event that arrived to the answer, which goes out both as
// an event and, where asked for, as the acknowledgement.

import type { RoomGame } from '../access/room-entry.ts'
import type { Backpressure } from './backpressure.ts'
import type { Arrival } from './decoder.ts'
import { type ClientEvent, type CutReason, RoomRefusal, type ServerEvent } from './events.ts'
import { ackText, answerTexts, batchOf, okJson } from './frames.ts'
import { isSendFrame } from './hearing.ts'
import { EVENT_TOLD_MOST_CHARACTERS, EVENT_WORK, HASTE_RESTS_MS, IN_HAND_MOST } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import type { NetworkPace } from './network-pace.ts'
import type { Pace } from './rate.ts'
import { bodyOf, nameOf } from './reading.ts'
import { refusedText, tooFast } from './refusal.ts'
import type { SocketWriter } from './socket-writer.ts'

/** Gives the answer of the event named, whose body is JSON, where it is wanted. Once. */
export type Reply = (event: ServerEvent, body: () => string) => void

/** The connection that events come from. */
interface Client {
  readonly game: RoomGame
  readonly socketWriter: SocketWriter
  readonly isGone: boolean
  cut(reason: CutReason): void
}

interface ClientEventsOptions {
  readonly pace: Pace
  /** Shared by all connections of its network address. */
  readonly networkPace: NetworkPace
  readonly backpressure: Backpressure
  readonly metrics: RoomsMetrics
  /** Answers an event of this name with the body that its schema read. Throws RoomRefusal, or rejects with it. */
  readonly answer: (name: ClientEvent, sent: unknown, reply: Reply) => unknown
  /** A failure while answering an event, and the code sent to the client. */
  readonly failed: (error: unknown) => RoomRefusal
}

type SkippedFrame = Parameters<typeof isSendFrame>[0]

export class ClientEvents {
  readonly #client: Client
  readonly #options: ClientEventsOptions
  readonly #pace: Pace
  readonly #networkPace: NetworkPace
  /** Events that are being answered. */
  #inHand = 0
  /** Whether the frame counted last was one too many of its second. */
  #isOver = false
  /** Whether the message that came last was one too many for its rate. */
  #isTooFast = false

  constructor(client: Client, options: ClientEventsOptions) {
    this.#client = client
    this.#options = options
    this.#pace = options.pace
    this.#networkPace = options.networkPace
  }

  /** Counts a frame, whatever is in it. */
  count(nowMs: number): void {
    if (this.#client.isGone) return
    const load = this.#pace.arrived(this.#client.game.settings.messages_per_second, nowMs)
    this.#isOver = load === 'over' || load === 'flood'
    if (load === 'flood') this.#client.cut('too_fast')
    // Reads no more until this second is over.
    else if (load === 'over') this.#rest(this.#pace.secondLeftMs(nowMs))
    else if (load === 'hasty') this.#rest(HASTE_RESTS_MS)
    const restMs = this.#networkPace.frame(nowMs)
    if (restMs > 0) this.#rest(restMs)
  }

  /** Reads nothing of what the client sends for as long. */
  #rest(ms: number): void {
    if (this.#options.backpressure.hold('resting'))
      setTimeout(() => this.#options.backpressure.release('resting'), ms).unref()
  }

  arrived(arrival: Arrival, nowMs: number): void {
    if (this.#client.isGone) return
    // A client that sends so much got enough refusals, unless it asks for an acknowledgement of each.
    if (this.#isOver && arrival.ackId === null) this.#options.metrics.refused('too_fast')
    else this.#answer(arrival, this.#client.game.settings.messages_per_second, nowMs)
  }

  /** A message that is one too many is refused for less than it takes to read it; false where the frame is none. */
  refuseUnread(frame: SkippedFrame): boolean {
    if (!this.#isTooFast || !isSendFrame(frame)) return false
    const nowMs = performance.now()
    const rate = this.#client.game.settings.messages_per_second
    if (this.#client.isGone || this.#pace.hasMessage(rate, nowMs)) return this.#client.isGone
    this.count(nowMs)
    if (this.#client.isGone) return true
    this.#options.metrics.refused('too_fast')
    if (!this.#isOver) this.#client.socketWriter.push(tooFast(rate).told)
    return true
  }

  #answer(arrival: Arrival, rate: number, nowMs: number): void {
    const { event, ackId } = arrival
    if (!this.#keepsPace(event, rate, nowMs)) {
      this.#refuse(event, ackId, tooFast(event === 'send' ? rate : null).refusal)
      return
    }
    this.#inHand++
    const refuse = (error: unknown) => {
      this.#inHand--
      this.#refuse(event, ackId, error instanceof RoomRefusal ? error : this.#options.failed(error))
    }
    try {
      const name = nameOf(event)
      const sent = bodyOf(name, arrival)
      const reply = name === 'send' ? this.#sentReply(ackId) : this.#reply(ackId)
      const answering = this.#options.answer(name, sent, reply)
      if (answering instanceof Promise) answering.then(this.#done, refuse)
      else this.#inHand--
    } catch (error) {
      refuse(error)
    }
  }

  readonly #done = () => {
    this.#inHand--
  }

  #reply(ackId: number | null): Reply {
    return (told, body) => this.#client.socketWriter.push(batchOf(answerTexts(ackId, told, body())))
  }

  /** The room itself tells of a message, its sender among the members: what is left is the acknowledgement. */
  #sentReply(ackId: number | null): Reply {
    return (_told, body) => {
      if (ackId !== null) this.#client.socketWriter.push(batchOf([ackText(ackId, okJson(body()))]))
    }
  }

  #keepsPace(event: string, rate: number, nowMs: number): boolean {
    const isMessage = event === 'send'
    const fits = isMessage
      ? this.#pace.message(rate, nowMs)
      : this.#pace.other(nowMs) && this.#networkPace.work(EVENT_WORK[event] ?? 1, nowMs)
    if (isMessage) this.#isTooFast = !fits
    return fits && this.#inHand < IN_HAND_MOST
  }

  #refuse(event: string, ackId: number | null, refusal: RoomRefusal): void {
    const { code, message: detail } = refusal
    this.#options.metrics.refused(code)
    const told = event.length > EVENT_TOLD_MOST_CHARACTERS ? `${event.slice(0, EVENT_TOLD_MOST_CHARACTERS)}…` : event
    const texts = [refusedText(told, refusal)]
    if (ackId !== null) texts.unshift(ackText(ackId, JSON.stringify({ ok: false, code, detail })))
    this.#client.socketWriter.push(batchOf(texts))
  }
}
