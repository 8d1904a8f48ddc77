// Starts requests fairly by network address. An address that floods a process over many connections has a few of its
// requests started per turn of the event loop, so a request of any other address waits behind those few, not behind all
// of them.

import {
  LONG_TURN_MS,
  STARTS_PER_LONG_TURN,
  STARTS_PER_TURN,
  STARTS_PER_TURN_ALONE,
  STARTS_SHARED_MS,
} from './limits.ts'

interface FairStartEvents {
  /** Called for each request that has to wait for a later turn. */
  deferred?(): void
}

export class FairStart {
  readonly #events: FairStartEvents
  readonly #now: () => number
  readonly #callers: RecentCallers
  readonly #started = new Map<string, number>()
  /** Requests of later turns by network address, oldest first. The address served last is the last. */
  readonly #waiting = new Map<string, Set<() => void>>()
  #isScheduled = false
  #turnBeganMs = 0
  /** How many requests an address may start in this turn while other addresses are active. */
  #shared = STARTS_PER_TURN

  /** `now`: a monotonic clock in milliseconds. */
  constructor(events: FairStartEvents = {}, now = () => performance.now()) {
    this.#events = events
    this.#now = now
    this.#callers = new RecentCallers(STARTS_SHARED_MS, now)
  }

  /**
   * Calls `start` now or in a later turn. The requests of one address start in the order of the calls. Returns a
   * function that cancels a waiting request, for a caller who disconnects; a cancelled request uses no slot of a turn.
   */
  start(address: string, start: () => void): () => void {
    this.#schedule()
    const waiting = this.#waiting.get(address) ?? new Set()
    if (waiting.size === 0 && this.#takeSlot(address)) {
      start()
      return () => {}
    }
    waiting.add(start)
    this.#waiting.set(address, waiting)
    this.#events.deferred?.()
    return () => {
      if (waiting.delete(start) && waiting.size === 0 && this.#waiting.get(address) === waiting)
        this.#waiting.delete(address)
    }
  }

  #takeSlot(address: string): boolean {
    const max = this.#callers.hasOthers(address) ? this.#shared : STARTS_PER_TURN_ALONE
    const started = this.#started.get(address) ?? 0
    if (started >= max) return false
    this.#started.set(address, started + 1)
    return true
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#turnBeganMs = this.#now()
    setImmediate(() => this.#turn())
  }

  /** Round robin over the waiting addresses until none has a slot left. */
  #turn(): void {
    this.#isScheduled = false
    this.#started.clear()
    const isLong = this.#now() - this.#turnBeganMs > LONG_TURN_MS
    this.#shared = isLong ? STARTS_PER_LONG_TURN : STARTS_PER_TURN
    const starting: (() => void)[] = []
    for (let before = -1; starting.length > before; ) {
      before = starting.length
      for (const [address, waiting] of [...this.#waiting]) {
        if (!this.#takeSlot(address)) continue
        const [next] = waiting
        if (next === undefined) continue
        starting.push(next)
        waiting.delete(next)
        this.#waiting.delete(address)
        if (waiting.size > 0) this.#waiting.set(address, waiting)
      }
    }
    if (starting.length > 0) this.#schedule()
    for (const start of starting) start()
  }
}

/** Detects whether several callers are active, so that a fair limit can leave a single caller the whole resource. */
export class RecentCallers {
  readonly #keptMs: number
  readonly #now: () => number
  /** The latest caller, and the time of the latest call by any other. */
  #last: string | null = null
  #lastMs = Number.NEGATIVE_INFINITY
  #otherMs = Number.NEGATIVE_INFINITY

  /** `keptMs`: how long callers count as present after their last call. `now`: a monotonic clock in milliseconds. */
  constructor(keptMs: number, now: () => number) {
    this.#keptMs = keptMs
    this.#now = now
  }

  /** Records a call of `site`. Returns whether another site called within `keptMs`. */
  hasOthers(site: string): boolean {
    const nowMs = this.#now()
    if (site !== this.#last) this.#otherMs = this.#lastMs
    this.#last = site
    this.#lastMs = nowMs
    return nowMs - this.#otherMs < this.#keptMs
  }
}
