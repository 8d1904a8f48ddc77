// What orders the steps of a history: the scheduler, under virtual time (scheduler.ts); or, where the stores are servers,
// time itself.

import type { Random } from '../../random.ts'

export interface Pace {
  readonly random: Random
  /** What happened, step by step. */
  readonly trace: string[]
  /** Unix milliseconds, as a clock without skew shows them. */
  readonly nowMs: number
  /** Puts all clocks forward; what waits for a time to have elapsed waits on. */
  leap(ms: number): void
  /** Resolves when it is its turn: other steps may come first. */
  turn(label: string): Promise<void>
  note(text: string): void
  /** Work that nobody waits for, and that belongs to the story. */
  aside(work: Promise<unknown>): void
  /** Plays a story to its end, and what it set off. */
  play<T>(story: () => Promise<T>): Promise<T>
  /** Does work with clocks and timers that belong to this time. */
  underItsTime<T>(work: () => Promise<T>): Promise<T>
}

/** In the middle of a month: no history comes to its end, and download quotas reset only there. */
export const BEGINNING_MS = Date.UTC(2020, 0, 10)

/** Clocks of nodes differ by up to this much. */
export const SKEW_MS = 400

/** How often a turn lets more happen than what is ready, and for how long at most. */
const LINGERS = 0.3
const LINGERS_MS = 4

/** Real timers, real concurrency. The seed decides what is tried, not the order in which it happens. */
export class RealTime implements Pace {
  readonly random: Random
  readonly trace: string[] = []
  readonly #begun = performance.now()
  #leaptMs = 0
  #asides: Promise<unknown>[] = []

  constructor(random: Random) {
    this.random = random
  }

  get nowMs(): number {
    return BEGINNING_MS + Math.floor(performance.now() - this.#begun) + this.#leaptMs
  }

  leap(ms: number): void {
    this.#leaptMs += ms
  }

  async turn(label: string): Promise<void> {
    if (label !== '') this.note(label)
    // Who only waits for others leaves the machine to them.
    const lingers = label === '' || this.random.chance(LINGERS) ? 1 + this.random.below(LINGERS_MS) : 0
    await new Promise<void>((go) => {
      if (lingers === 0) setImmediate(go)
      else setTimeout(go, lingers)
    })
  }

  note(text: string): void {
    this.trace.push(text)
  }

  aside(work: Promise<unknown>): void {
    this.#asides.push(work)
  }

  async play<T>(story: () => Promise<T>): Promise<T> {
    const result = await story()
    for (let waited = 0; waited < this.#asides.length; waited++) await this.#asides[waited]
    this.#asides = []
    return result
  }

  underItsTime<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }
}
