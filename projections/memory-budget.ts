// A memory budget that the appliers of several views share for the documents they hold between two writes.

/** Bytes that views may use while they are applied, and that folds of histories may use while board rules change. */
export interface ViewsMemory {
  readonly documents: number
  readonly ruleFolds: number
}

/** For tests and benchmarks only: a node divides its memory and passes the bytes. */
export const DEFAULT_VIEWS_MEMORY: ViewsMemory = { documents: 256 * 2 ** 20, ruleFolds: 700 * 2 ** 20 }

export class MemoryBudget {
  readonly #maxBytes: number
  readonly #by = new Map<object, number>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
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
