// Long reading and computing in slices, between which requests are answered; and given up
// where nobody waits for it any more.

import { turn } from '../stores/contract/turn.ts'

/** How long work goes on that somebody waits for, before others have their turn. */
const SLICE_MS = 4
/** The same of work that nobody waits for: a step of the collector may come on top. */
export const BACKGROUND_MS = 1

export class Slices {
  readonly #signal: AbortSignal | undefined
  readonly #sliceMs: number
  #until: number

  constructor(signal?: AbortSignal, sliceMs = SLICE_MS) {
    this.#signal = signal
    this.#sliceMs = sliceMs
    this.#until = performance.now() + sliceMs
  }

  /** Whether others should have their turn now. */
  get due(): boolean {
    return performance.now() >= this.#until
  }

  /** Lets others have their turn. Throws the signal's reason where it has aborted. */
  async turn(): Promise<void> {
    await this.pause()
    this.#signal?.throwIfAborted()
  }

  /** As `turn`, for what must not be broken off in the middle. */
  async pause(): Promise<void> {
    await turn()
    this.#until = performance.now() + this.#sliceMs
  }

  /** Runs something to its end, with turns in between. */
  async all(steps: Iterable<unknown>): Promise<void> {
    for (const _ of steps) if (this.due) await this.turn()
  }

  /** As `all`, and gives what comes of it. */
  async result<Result>(steps: Generator<unknown, Result>): Promise<Result> {
    for (;;) {
      const next = steps.next()
      if (next.done) return next.value
      if (this.due) await this.turn()
    }
  }
}
