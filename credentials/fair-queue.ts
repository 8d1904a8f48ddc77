// Work of which little may run at once, for many who ask: each in turn gets one, however many another has waiting.
// Where no more may wait, who has the most waiting gives way to who has fewer.

interface Waiting {
  begin(): void
  refuse(): void
}

export class FairQueue {
  readonly #atOnce: number
  readonly #most: number
  readonly #refused: () => Error
  /** Those who wait, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>()
  #count = 0
  #working = 0

  /** `refused` makes what is thrown at those for whom there is no room. */
  constructor(atOnce: number, most: number, refused: () => Error) {
    this.#atOnce = atOnce
    this.#most = most
    this.#refused = refused
  }

  async run<T>(of: string, work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#atOnce) this.#working += 1
    // Who ends hands the turn on: it is never free in between.
    else await this.#turn(of)
    try {
      return await work()
    } finally {
      if (!this.#next()) this.#working -= 1
    }
  }

  #turn(of: string): Promise<void> {
    const own = this.#waiting.get(of) ?? []
    if (this.#count >= this.#most && !this.#giveWay(own.length)) throw this.#refused()
    return new Promise((begin, reject) => {
      own.push({ begin, refuse: () => reject(this.#refused()) })
      this.#waiting.set(of, own)
      this.#count += 1
    })
  }

  /**
   * Whether the last of whoever has the most waiting gave way to somebody with this many:
   * one more would still be no more.
   */
  #giveWay(own: number): boolean {
    let [longest, least]: [string | null, number] = [null, own + 1]
    for (const [of, { length }] of this.#waiting) if (length > least) [longest, least] = [of, length]
    const last = longest === null ? undefined : this.#waiting.get(longest)?.pop()
    if (last === undefined) return false
    this.#count -= 1
    last.refuse()
    return true
  }

  #next(): boolean {
    const [turn] = this.#waiting
    if (turn === undefined) return false
    const [of, own] = turn
    const next = own.shift()
    this.#waiting.delete(of)
    if (own.length > 0) this.#waiting.set(of, own)
    this.#count -= 1
    next?.begin()
    return true
  }
}
