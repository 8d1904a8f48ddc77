// Handles the events of one client: checks its rates, parses the event, and sends the answer as an event and, if the
// client requested one, as an acknowledgement. Refusals of the rooms store and of the rate limits get their texts here.

import type { RoomRefusal as StoreRefusal } from '../stores/contract/rooms.ts'
import type { Backpressure } from './backpressure.ts'
import { type Arrival, parseEventBody, parseEventName } from './decoder.ts'
import { type ClientEvent, type CutReason, type RefusalCode, RoomRefusal, type ServerEvent } from './events.ts'
import { isSendFrame } from './frame-reader.ts'
import { ackText, answerTexts, type Batch, batchOf, eventText, okJson } from './frames.ts'
import {
  EVENT_NAME_SHOWN_MAX_CHARACTERS,
  EVENT_WORK,
  HASTY_PAUSE_MS,
  LISTENERS_PER_ROOM,
  PENDING_EVENTS_MAX,
  ROOMS_PER_PLAYER,
} from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import type { NetworkPace } from './network-pace.ts'
import type { Pace } from './rate.ts'
import type { RoomGame } from './room-entry.ts'
import type { SocketWriter } from './socket-writer.ts'

/** Sends the answer. `body` returns JSON and is called only if the answer is sent. Call it at most once. */
export type Reply = (event: ServerEvent, body: () => string) => void

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
  /** Throws RoomRefusal if this connection may not send the event. */
  readonly admit: (name: ClientEvent) => void
  /** Answers an event; `sent` is its parsed body. Throws RoomRefusal or rejects with it. */
  readonly answer: (name: ClientEvent, sent: unknown, reply: Reply) => unknown
  /** Maps a failure while answering an event to the refusal for the client. */
  readonly failed: (error: unknown) => RoomRefusal
}

type SkippedFrame = Parameters<typeof isSendFrame>[0]

export class ClientEvents {
  readonly #client: Client
  readonly #options: ClientEventsOptions
  readonly #pace: Pace
  readonly #networkPace: NetworkPace
  #inHand = 0
  /** True if the last counted frame exceeded the limit of its second. */
  #isOver = false
  #isTooFast = false

  constructor(client: Client, options: ClientEventsOptions) {
    this.#client = client
    this.#options = options
    this.#pace = options.pace
    this.#networkPace = options.networkPace
  }

  count(nowMs: number): void {
    if (this.#client.isGone) return
    const load = this.#pace.arrived(this.#client.game.settings.messages_per_second, nowMs)
    this.#isOver = load === 'over' || load === 'flood'
    if (load === 'flood') this.#client.cut('too_fast')
    // Read nothing until this second is over.
    else if (load === 'over') this.#rest(this.#pace.secondLeftMs(nowMs))
    else if (load === 'hasty') this.#rest(HASTY_PAUSE_MS)
    const restMs = this.#networkPace.frame(nowMs)
    if (restMs > 0) this.#rest(restMs)
  }

  #rest(ms: number): void {
    if (this.#options.backpressure.pause('resting'))
      setTimeout(() => this.#options.backpressure.release('resting'), ms).unref()
  }

  arrived(arrival: Arrival, nowMs: number): void {
    if (this.#client.isGone) return
    // The client already received refusals in this second. Only events that ask for an acknowledgement get another.
    if (this.#isOver && arrival.ackId === null) this.#options.metrics.refused('too_fast')
    else this.#answer(arrival, this.#client.game.settings.messages_per_second, nowMs)
  }

  /** Refuses a message over the rate without parsing it. False if the frame must be parsed. */
  refuseUnread(frame: SkippedFrame): boolean {
    if (!this.#isTooFast || !isSendFrame(frame)) return false
    const nowMs = performance.now()
    const rate = this.#client.game.settings.messages_per_second
    if (this.#client.isGone || this.#pace.hasMessage(rate, nowMs)) return this.#client.isGone
    this.count(nowMs)
    if (this.#client.isGone) return true
    this.#options.metrics.refused('too_fast')
    if (!this.#isOver) this.#client.socketWriter.push(tooFast(rate).batch)
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
      const name = parseEventName(event)
      this.#options.admit(name)
      const sent = parseEventBody(name, arrival)
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
    return (event, body) => this.#client.socketWriter.push(batchOf(answerTexts(ackId, event, body())))
  }

  /** The room sends a message to all members including the sender, so only the acknowledgement is left to send. */
  #sentReply(ackId: number | null): Reply {
    return (_event, body) => {
      if (ackId !== null) this.#client.socketWriter.push(batchOf([ackText(ackId, okJson(body()))]))
    }
  }

  #keepsPace(event: string, rate: number, nowMs: number): boolean {
    const isMessage = event === 'send'
    const fits = isMessage
      ? this.#pace.message(rate, nowMs)
      : this.#pace.other(nowMs) && this.#networkPace.work(EVENT_WORK[event] ?? 1, nowMs)
    if (isMessage) this.#isTooFast = !fits
    return fits && this.#inHand < PENDING_EVENTS_MAX
  }

  #refuse(event: string, ackId: number | null, refusal: RoomRefusal): void {
    const { code, message: detail } = refusal
    this.#options.metrics.refused(code)
    const shownName =
      event.length > EVENT_NAME_SHOWN_MAX_CHARACTERS ? `${event.slice(0, EVENT_NAME_SHOWN_MAX_CHARACTERS)}…` : event
    const texts = [refusedText(shownName, refusal)]
    if (ackId !== null) texts.unshift(ackText(ackId, JSON.stringify({ ok: false, code, detail })))
    this.#client.socketWriter.push(batchOf(texts))
  }
}

/** Refusals of the store whose text has no number that the operator sets. */
type PlainRefusal = Exclude<StoreRefusal, 'too_many_rooms_of_network'>

const REFUSED: Readonly<Record<PlainRefusal, string>> = {
  room_not_found: 'There is no such room.',
  room_full: 'All seats of the room are taken.',
  too_many_rooms: 'The game has as many rooms as it may have.',
  too_many_rooms_of_player: `You made ${ROOMS_PER_PLAYER} rooms that are still open. Wait until one of them ends.`,
  too_many_listeners: `${LISTENERS_PER_ROOM} connections listen to the room already. Try again when one of them has ended.`,
  not_in_room: 'Join the room first.',
  member_not_found: 'There is no such member in the room.',
}

/** The three limits on rooms share one code; the detail says which one is reached. */
const codeOf = (refused: PlainRefusal): RefusalCode =>
  refused === 'too_many_rooms_of_player' ? 'too_many_rooms' : refused

export const refusal = (refused: PlainRefusal): RoomRefusal => new RoomRefusal(codeOf(refused), REFUSED[refused])

/** The refusal of a seat. `maxRoomsOfAddress`: open rooms that one network address may make. */
export function seatRefusal(refused: StoreRefusal, maxRoomsOfAddress: number): RoomRefusal {
  if (refused !== 'too_many_rooms_of_network') return refusal(refused)
  const detail = `${maxRoomsOfAddress} rooms made from your network address are still open. Wait until one of them ends.`
  return new RoomRefusal('too_many_rooms', detail)
}

export const refusedText = (event: string, { code, message: detail }: RoomRefusal): string =>
  eventText('refused', JSON.stringify({ event, code, detail }))

interface TooFast {
  readonly refusal: RoomRefusal
  readonly batch: Batch
}

const tooFastOf = new Map<number | null, TooFast>()

/**
 * The refusal of messages at this rate, or of other events if the rate is null. Built once per rate, because a flooding
 * client gets it thousands of times.
 */
export function tooFast(rate: number | null): TooFast {
  const known = tooFastOf.get(rate)
  if (known !== undefined) return known
  const allowed = rate === null ? 'a few events a second' : `${rate} messages a second`
  const refusal = new RoomRefusal('too_fast', `Send at most ${allowed}, on average.`)
  const made = { refusal, batch: batchOf([refusedText('send', refusal)]) }
  tooFastOf.set(rate, made)
  return made
}
