// What was met once, in 32 KiB. Most of it is never met again, and caching all of it would evict what is used often.

/** Each has the mark that was met last of those that share it. */
const SLOTS = 8_192

/** Marks that were met once. A shared mark or slot only changes when something counts as met again. */
export class MetOnce {
  #marks: Uint32Array | null = null

  /**
   * Whether the mark was met before, and notes it if not. `mark`: 32 bits, unsigned, the lower ones evenly spread.
   * O(1).
   */
  isMetAgain(mark: number): boolean {
    this.#marks ??= new Uint32Array(SLOTS)
    const slot = mark % SLOTS
    if (this.#marks[slot] === mark) return true
    this.#marks[slot] = mark
    return false
  }
}
