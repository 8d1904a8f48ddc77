// Shares one run of an asynchronous function, such as a read of a store, among concurrent callers: what Go's
// `singleflight` does, also for callers whom a running read does not suffice.

/**
 * Runs one function of a key at a time. Results are not cached: a run that has ended or failed is dropped. Each key
 * that has calls holds at most a running and a following run.
 */
export class SingleFlight<Key, Result> {
  /** The last run of each key that was requested, until it has ended. */
  readonly #last = new Map<Key, Promise<Result>>()
  /** The runs that have not begun. */
  readonly #following = new Map<Key, Promise<Result>>()

  /** The run that was requested last, or a new one. Rejects as the shared run does. O(1). */
  join(key: Key, run: () => Promise<Result>): Promise<Result> {
    return this.#last.get(key) ?? this.following(key, run)
  }

  /**
   * A run that begins after this call and after the running one, which may have missed what this caller must see.
   * Rejects as the shared run does. `run` is not called if an earlier caller's has not begun yet. O(1).
   */
  following(key: Key, run: () => Promise<Result>): Promise<Result> {
    const shared = this.#following.get(key)
    if (shared !== undefined) return shared
    const begin = () => {
      this.#following.delete(key)
      return run()
    }
    const before: Promise<unknown> = this.#last.get(key) ?? Promise.resolve()
    const result = before.then(begin, begin)
    const end = () => {
      if (this.#last.get(key) === result) this.#last.delete(key)
    }
    result.then(end, end)
    this.#following.set(key, result)
    this.#last.set(key, result)
    return result
  }
}
