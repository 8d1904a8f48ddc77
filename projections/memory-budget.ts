// A memory budget that the appliers of several views share for the documents they hold between two writes.

/** Bytes that views may use while they are applied, and that folds of histories may use while board rules change. */
export interface ViewsMemory {
  readonly documents: number
  /** The part of `documents` that remains after a run has caught up with the log. Default: all. */
  readonly documentsCaughtUp?: number
  readonly ruleFolds: number
}

/** For tests and benchmarks only: a node divides its memory and passes the bytes. */
export const DEFAULT_VIEWS_MEMORY: ViewsMemory = { documents: 256 * 2 ** 20, ruleFolds: 700 * 2 ** 20 }

/**
 * For embedded views that have caught up. More documents spare a read of the file each; but each collection of the heap
 * marks them, which takes processor time from calls (decision 0074).
 */
export const EMBEDDED_CAUGHT_UP_BYTES = 32 * 2 ** 20

export class MemoryBudget {
  readonly #caughtUpBytes: number
  #maxBytes: number
  readonly #by = new Map<object, number>()

  /** `caughtUpBytes`: the limit after `onCaughtUp`. */
  constructor(maxBytes: number, caughtUpBytes: number = maxBytes) {
    this.#maxBytes = maxBytes
    this.#caughtUpBytes = Math.min(maxBytes, caughtUpBytes)
  }

  /** Call it when the run has caught up with the log. */
  onCaughtUp(): void {
    this.#maxBytes = this.#caughtUpBytes
  }

  /**
   * Records what one holder has. Returns true if all together exceed the limit and this one holds at least the average.
   */
  requiresFlush(one: object, bytes: number): boolean {
    this.#by.set(one, bytes)
    let all = 0
    for (const used of this.#by.values()) all += used
    return all > this.#maxBytes && bytes * this.#by.size >= all
  }
}
