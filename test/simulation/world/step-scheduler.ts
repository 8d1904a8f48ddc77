// What orders the steps of a history: the scheduler with virtual time (scheduler.ts), or real time where the stores are
// servers.

import type { Random } from '../../random.ts'

export interface StepScheduler {
  readonly random: Random
  /** The trace, step by step. */
  readonly trace: string[]
  /** Unix milliseconds by a clock without skew. */
  readonly nowMs: number
  /** Moves all clocks forward; waits for an elapsed duration are not shortened. */
  leap(ms: number): void
  /** Resolves when the caller's next step may run: other steps may come first. */
  step(label: string): Promise<void>
  note(text: string): void
  /** Background work that belongs to the history. */
  inBackground(work: Promise<unknown>): void
  /** Runs a story to its end, with the work that it started. */
  play<T>(story: () => Promise<T>): Promise<T>
  /** Runs work with the clocks and timers of this time. */
  underItsTime<T>(work: () => Promise<T>): Promise<T>
}

/** In the middle of a month: no history reaches the end of it, where download usage is reset. */
export const BEGINNING_MS = Date.UTC(2020, 0, 10)

/** Maximum clock difference between nodes in milliseconds. */
export const SKEW_MS = 400

/** How often a turn waits in real time, and for how long at most. */
const LINGERS = 0.3
const LINGERS_MS = 4

/** Real timers, real concurrency. The seed decides what is tried, not the order in which it happens. */
export class RealTime implements StepScheduler {
  readonly random: Random
  readonly trace: string[] = []
  readonly #startedMs = performance.now()
  #leaptMs = 0
  #background: Promise<unknown>[] = []

  constructor(random: Random) {
    this.random = random
  }

  get nowMs(): number {
    return BEGINNING_MS + Math.floor(performance.now() - this.#startedMs) + this.#leaptMs
  }

  leap(ms: number): void {
    this.#leaptMs += ms
  }

  async step(label: string): Promise<void> {
    if (label !== '') this.note(label)
    // A waiting task leaves the machine to the others.
    const lingers = label === '' || this.random.chance(LINGERS) ? 1 + this.random.below(LINGERS_MS) : 0
    await new Promise<void>((go) => {
      if (lingers === 0) setImmediate(go)
      else setTimeout(go, lingers)
    })
  }

  note(text: string): void {
    this.trace.push(text)
  }

  inBackground(work: Promise<unknown>): void {
    this.#background.push(work)
  }

  async play<T>(story: () => Promise<T>): Promise<T> {
    const result = await story()
    for (let waited = 0; waited < this.#background.length; waited++) await this.#background[waited]
    this.#background = []
    return result
  }

  underItsTime<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }
}
