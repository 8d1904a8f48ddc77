// How many go through a board's history at once, and how many may wait for that: each holds much, and works long. Fair
// among games: one of them has only so many turns at a time, and those that wait come in turn game by game.

import type { Refusal } from '../domain/decider.ts'

export interface TurnLimits {
  readonly atOnce: number
  readonly atOnceOfGame: number
  readonly waiting: number
  readonly waitingOfGame: number
}

export class Turns {
  readonly #limits: TurnLimits
  readonly #busy: () => Refusal
  /** Those who wait, by game; the game that had a turn last is the last. */
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #running = new Map<string, number>()

  /** `busy`: what is thrown where too many wait. */
  constructor(limits: TurnLimits, busy: () => Refusal) {
    this.#limits = limits
    this.#busy = busy
  }

  /** Runs it when its turn comes. Throws `busy()` where too many wait, and the signal's reason once it aborts. */
  async run<Result>(game: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#enter(game, signal)
    try {
      return await work()
    } finally {
      const left = (this.#running.get(game) ?? 1) - 1
      if (left === 0) this.#running.delete(game)
      else this.#running.set(game, left)
      this.#next()
    }
  }

  #isFree(game: string): boolean {
    const { atOnce, atOnceOfGame } = this.#limits
    return sum(this.#running.values()) < atOnce && (this.#running.get(game) ?? 0) < atOnceOfGame
  }

  #begin(game: string): void {
    this.#running.set(game, (this.#running.get(game) ?? 0) + 1)
  }

  /** A turn is passed on, so that nobody comes in between. */
  #next(): void {
    for (const [game, waiting] of this.#waiting) {
      if (!this.#isFree(game)) continue
      const [enter] = waiting
      this.#leave(game, enter)
      // Whoever else of this game waits does so behind other games.
      const others = this.#waiting.get(game)
      if (others !== undefined && this.#waiting.delete(game)) this.#waiting.set(game, others)
      this.#begin(game)
      enter?.()
      return
    }
  }

  #leave(game: string, one: (() => void) | undefined): void {
    const others = (this.#waiting.get(game) ?? []).filter((other) => other !== one)
    if (others.length === 0) this.#waiting.delete(game)
    else this.#waiting.set(game, others)
  }

  async #enter(game: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#isFree(game)) {
      this.#begin(game)
      return
    }
    const { waiting, waitingOfGame } = this.#limits
    const own = this.#waiting.get(game) ?? []
    const all = sum([...this.#waiting.values()].map(({ length }) => length))
    if (all >= waiting || own.length >= waitingOfGame) throw this.#busy()
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#leave(game, enter)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.set(game, [...own, enter])
    })
  }
}

function sum(numbers: Iterable<number>): number {
  let all = 0
  for (const one of numbers) all += one
  return all
}
