// The one source of chance in a simulated history: the same seed gives the same draws.

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 (inclusive) to 1 (exclusive). Mulberry32: 32 bits of state are plenty for a few thousand draws. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** One of a list, or null where it is empty. */
  any<T>(list: readonly T[]): T | null {
    return list.length === 0 ? null : this.pick(list)
  }

  /** One of a list, each as often as its weight says against the others'. */
  weighted<T>(list: readonly T[], weightOf: (one: T) => number): T {
    let left = this.next() * list.reduce((sum, one) => sum + weightOf(one), 0)
    for (const one of list) {
      left -= weightOf(one)
      if (left < 0) return one
    }
    return list.at(-1) as T
  }

  shuffled<T>(list: readonly T[]): T[] {
    const result = [...list]
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      ;[result[i], result[j]] = [result[j] as T, result[i] as T]
    }
    return result
  }
}
