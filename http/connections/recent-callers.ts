// Whether more than one caller is there: a limit that shares a resource out can leave a caller who is alone all of it.

export class RecentCallers {
  readonly #keptMs: number
  readonly #now: () => number
  /** The caller of the last call, and when anybody else called last. */
  #last: string | null = null
  #lastMs = Number.NEGATIVE_INFINITY
  #otherMs = Number.NEGATIVE_INFINITY

  /** `keptMs`: how long callers count as present after their last call. `now`: milliseconds of a clock that never goes back. */
  constructor(keptMs: number, now: () => number) {
    this.#keptMs = keptMs
    this.#now = now
  }

  /** Notes a call of `site`, and answers whether another one called within `keptMs`. */
  hasOthers(site: string): boolean {
    const nowMs = this.#now()
    if (site !== this.#last) this.#otherMs = this.#lastMs
    this.#last = site
    this.#lastMs = nowMs
    return nowMs - this.#otherMs < this.#keptMs
  }
}
