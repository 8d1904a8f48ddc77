// Detects whether several callers are active, so that a fair limit can leave a single caller the whole resource.

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
