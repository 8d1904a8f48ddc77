// The rates of one connection: token buckets for messages, for other events and for searches, a window for joins, and
// the detection of floods.

import {
  ATTEMPTS_MAX,
  ATTEMPTS_WITHIN_MS,
  BURST_SECONDS,
  FLOOD_FACTOR,
  FLOOD_MS,
  HASTY_PART_AT_ONCE,
  HASTY_SPREAD_MS,
  OTHERS_PER_SECOND,
  SEARCHES_PER_SECOND,
} from './limits.ts'

const SECOND_MS = 1_000

export class Bucket {
  #tokens: number
  #filledMs: number

  constructor(perSecond: number, nowMs: number) {
    this.#tokens = perSecond * BURST_SECONDS
    this.#filledMs = nowMs
  }

  /** Takes a token; false if there is none. The rate may differ between calls. */
  take(perSecond: number, nowMs: number): boolean {
    if (!this.has(perSecond, nowMs)) return false
    this.#tokens--
    return true
  }

  has(perSecond: number, nowMs: number): boolean {
    const refill = (Math.max(0, nowMs - this.#filledMs) * perSecond) / SECOND_MS
    this.#filledMs = nowMs
    this.#tokens = Math.min(perSecond * BURST_SECONDS, this.#tokens + refill)
    return this.#tokens >= 1
  }
}

/**
 * `over`: more than FLOOD_FACTOR times the rate in this second. `hasty`: on the way to that, so reading pauses briefly.
 * `flood`: over for FLOOD_MS in a row.
 */
export type Load = 'fine' | 'hasty' | 'over' | 'flood'

export class Pace {
  readonly #messages: Bucket
  readonly #others: Bucket
  readonly #searches: Bucket
  #attempts: number[] = []
  #secondBeganMs: number
  #inSecond = 0
  #secondsOver = 0

  constructor(messagesPerSecond: number, nowMs: number) {
    this.#messages = new Bucket(messagesPerSecond, nowMs)
    this.#others = new Bucket(OTHERS_PER_SECOND, nowMs)
    this.#searches = new Bucket(SEARCHES_PER_SECOND, nowMs)
    this.#secondBeganMs = nowMs
  }

  message(perSecond: number, nowMs: number): boolean {
    return this.#messages.take(perSecond, nowMs)
  }

  hasMessage(perSecond: number, nowMs: number): boolean {
    return this.#messages.has(perSecond, nowMs)
  }

  other(nowMs: number): boolean {
    return this.#others.take(OTHERS_PER_SECOND, nowMs)
  }

  /** Takes a token for a search. A search also needs one of `other`. */
  search(nowMs: number): boolean {
    return this.#searches.take(SEARCHES_PER_SECOND, nowMs)
  }

  /** Counts an attempt to join or create a room; false if ATTEMPTS_MAX is reached. */
  attempt(nowMs: number): boolean {
    this.#attempts = this.#attempts.filter((atMs) => atMs > nowMs - ATTEMPTS_WITHIN_MS)
    if (this.#attempts.length >= ATTEMPTS_MAX) return false
    this.#attempts.push(nowMs)
    return true
  }

  /** Counts a received frame of any content. */
  arrived(perSecond: number, nowMs: number): Load {
    const max = perSecond * FLOOD_FACTOR
    const passed = nowMs - this.#secondBeganMs
    if (passed >= SECOND_MS) {
      // If a whole second passed without a frame, the run of seconds over the rate is broken.
      this.#secondsOver = this.#inSecond > max && passed < 2 * SECOND_MS ? this.#secondsOver + 1 : 0
      this.#secondBeganMs = passed < 2 * SECOND_MS ? this.#secondBeganMs + SECOND_MS : nowMs
      this.#inSecond = 0
    }
    this.#inSecond++
    if (this.#secondsOver >= FLOOD_MS / SECOND_MS) return 'flood'
    if (this.#inSecond > max) return 'over'
    const part = HASTY_PART_AT_ONCE + ((1 - HASTY_PART_AT_ONCE) * (nowMs - this.#secondBeganMs)) / HASTY_SPREAD_MS
    return this.#inSecond > max * part ? 'hasty' : 'fine'
  }

  secondLeftMs(nowMs: number): number {
    return Math.max(0, this.#secondBeganMs + SECOND_MS - nowMs)
  }
}
