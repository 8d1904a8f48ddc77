// How many fold a board at once, and how many may wait for that: each holds much, and works long.

import { Refusal } from '../../domain/decider.ts'

export class Turns {
  readonly #most: number
  readonly #waitingMost: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(most: number, waitingMost: number) {
    this.#most = most
    this.#waitingMost = waitingMost
  }

  /** Runs it when its turn comes. Throws 503 `past_busy` where too many wait, and the signal's reason once it aborts. */
  async run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#enter(signal)
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // A turn is passed on, so that nobody comes in between.
      if (next === undefined) this.#running--
      else next()
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#running < this.#most) {
      this.#running++
      return
    }
    if (this.#waiting.length >= this.#waitingMost) throw busy()
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        const place = this.#waiting.indexOf(enter)
        if (place >= 0) this.#waiting.splice(place, 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(enter)
    })
  }
}

/** 503 `past_busy`: nothing was read. */
function busy(): Refusal {
  const detail = 'Too many instants of leaderboards are being computed. Ask again in a moment.'
  return new Refusal('unavailable', 'past_busy', detail, { retry_after: 5 })
}
