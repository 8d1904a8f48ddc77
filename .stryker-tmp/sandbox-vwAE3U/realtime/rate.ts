// How fast one connection may send: a token bucket for messages, one for everything else, one for searches, a window
// for joining, and who sends so much for so long that it is no accident.

import {
  ATTEMPTS_MOST,
  ATTEMPTS_WITHIN_MS,
  BURST_SECONDS,
  FLOOD_FACTOR,
  FLOOD_MS,
  HASTE_AT_ONCE,
  HASTE_SPREAD_MS,
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

  /** Takes a token at this rate, which may be another than before; false where there is none. */
  take(perSecond: number, nowMs: number): boolean {
    if (!this.has(perSecond, nowMs)) return false
    this.#tokens--
    return true
  }

  /** Whether there is one. */
  has(perSecond: number, nowMs: number): boolean {
    const refill = (Math.max(0, nowMs - this.#filledMs) * perSecond) / SECOND_MS
    this.#filledMs = nowMs
    this.#tokens = Math.min(perSecond * BURST_SECONDS, this.#tokens + refill)
    return this.#tokens >= 1
  }
}

/**
 * `over`: more than ten times the rate within this second. `hasty`: not yet, but faster than may be read. `flood`:
 * over for five seconds in a row.
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

  /** Beside being one of the others. */
  search(nowMs: number): boolean {
    return this.#searches.take(SEARCHES_PER_SECOND, nowMs)
  }

  /** Counts a try to get into a room; false where there were too many of late. */
  attempt(nowMs: number): boolean {
    this.#attempts = this.#attempts.filter((atMs) => atMs > nowMs - ATTEMPTS_WITHIN_MS)
    if (this.#attempts.length >= ATTEMPTS_MOST) return false
    this.#attempts.push(nowMs)
    return true
  }

  /** Counts a frame that arrives, whatever is in it. */
  arrived(perSecond: number, nowMs: number): Load {
    const most = perSecond * FLOOD_FACTOR
    const passed = nowMs - this.#secondBeganMs
    if (passed >= SECOND_MS) {
      // A second in which nothing came was not one over the rate.
      this.#secondsOver = this.#inSecond > most && passed < 2 * SECOND_MS ? this.#secondsOver + 1 : 0
      this.#secondBeganMs = passed < 2 * SECOND_MS ? this.#secondBeganMs + SECOND_MS : nowMs
      this.#inSecond = 0
    }
    this.#inSecond++
    if (this.#secondsOver >= FLOOD_MS / SECOND_MS) return 'flood'
    if (this.#inSecond > most) return 'over'
    const part = HASTE_AT_ONCE + ((1 - HASTE_AT_ONCE) * (nowMs - this.#secondBeganMs)) / HASTE_SPREAD_MS
    return this.#inSecond > most * part ? 'hasty' : 'fine'
  }

  /** Milliseconds until the second that is counted now is over. */
  secondLeftMs(nowMs: number): number {
    return Math.max(0, this.#secondBeganMs + SECOND_MS - nowMs)
  }
}
