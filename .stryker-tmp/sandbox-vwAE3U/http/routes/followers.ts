// Limits the event streams that are open on this node, in total and per game.

import { Refusal } from '../../domain/decider.ts'

/** Each stream holds a page of events in memory and polls for new ones four times a second. */
export const FOLLOWERS_MAX = 200
export const FOLLOWERS_OF_A_GAME_MAX = 20
const RETRY_AFTER_S = 10

export class Followers {
  readonly #ofGame = new Map<string, number>()
  #all = 0

  /** Counts a stream. Returns a function that releases it. Throws 429 `too_many_followers`. */
  enter(game: string): () => void {
    const ofGame = this.#ofGame.get(game) ?? 0
    if (ofGame >= FOLLOWERS_OF_A_GAME_MAX) throw tooMany(`${ofGame} of this game's`)
    if (this.#all >= FOLLOWERS_MAX) throw tooMany(`${this.#all}`)
    this.#all++
    this.#ofGame.set(game, ofGame + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      this.#all--
      const left = (this.#ofGame.get(game) ?? 1) - 1
      if (left === 0) this.#ofGame.delete(game)
      else this.#ofGame.set(game, left)
    }
  }

  get size(): number {
    return this.#all
  }
}

function tooMany(current: string): Refusal {
  const detail = `This node already serves ${current} event streams, which is the maximum. Close one, or try again later.`
  return new Refusal('too_many', 'too_many_followers', detail, { retry_after: RETRY_AFTER_S })
}
