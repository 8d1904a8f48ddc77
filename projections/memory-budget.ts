// What the appliers of views that run together hold of documents from one write to the next, within one number of bytes.

/** Bytes that views may take while they are brought along, and histories folded for boards whose rules change. */
export interface ViewsMemory {
  readonly documents: number
  readonly ruleFolds: number
}

/** Of tests and benches: a node shares its memory out and names the bytes. */
export const DEFAULT_VIEWS_MEMORY: ViewsMemory = { documents: 256 * 2 ** 20, ruleFolds: 700 * 2 ** 20 }

export class MemoryBudget {
  readonly #most: number
  readonly #by = new Map<object, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Notes what one of them holds. Whether all together hold too much, and it no less than the others do on average. */
  requiresFlush(one: object, bytes: number): boolean {
    this.#by.set(one, bytes)
    let all = 0
    for (const held of this.#by.values()) all += held
    return all > this.#most && bytes * this.#by.size >= all
  }
}
