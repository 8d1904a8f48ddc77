// What each player of a board stands with while its history is folded, and about how much memory that takes.

import type { Position } from '../domain/event.ts'
import type { ScoreSubmittedData } from '../domain/score.ts'

/** The submission that an entry began with: it gives its id, and the time it was added. */
export interface Begun {
  readonly id: string
  readonly added: string
}

/** One player's. */
export interface Standing {
  readonly player: string
  /** Where the submission lies that it shows. */
  readonly at: Position
  readonly time: string
  readonly revision: number
  readonly data: ScoreSubmittedData
  /** Null where it is the same submission. */
  readonly begun: Begun | null
  /** All of the player's submissions lie outside the bounds. */
  readonly isOutside: boolean
}

/** Of memory; extra data comes on top. */
const STANDING_BYTES = 350

export interface Kept extends Standing {
  readonly page: number
  /** What the submission says is yet to be opened. */
  readonly isSealed: boolean
}

/** By player. */
export class Standings {
  readonly #of = new Map<string, Kept>()
  #extra = 0

  get bytes(): number {
    return this.#of.size * STANDING_BYTES + this.#extra
  }

  get = (player: string): Kept | undefined => this.#of.get(player)
  values = (): Iterable<Kept> => this.#of.values()

  /** `before`: what is held of the player by now. */
  set(kept: Kept, before: Kept | undefined): void {
    this.#extra += extraOf(kept) - extraOf(before)
    this.#of.set(kept.player, kept)
  }

  delete(before: Kept): void {
    this.#extra -= extraOf(before)
    this.#of.delete(before.player)
  }
}

const extraOf = (kept: Kept | undefined): number => kept?.data.extra?.length ?? 0

export const begunOf = ({ begun, data, time }: Standing): Begun => begun ?? { id: data.id, added: time }
