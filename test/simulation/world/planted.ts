// What goes wrong in a simulated history on purpose: faults of exchanges with the stores, and the death of nodes.

import { FillBroken, RankingsLost } from '../../../stores/contract/rankings.ts'

/** A fault that was planted: what else goes wrong is a defect. */
export class PlantedFault extends Error {}

/** What planted faults make of themselves: those, and what rankings say that were lost, or filled by another node meanwhile. */
export const isPlanted = (why: unknown): why is Error =>
  why instanceof PlantedFault || why instanceof RankingsLost || why instanceof FillBroken

/** A process that goes on later, as it waited in vain for views: those who apply them may have had no turn, or too much to do. */
export const isLate = (why: unknown): boolean =>
  why instanceof Error && why.message.startsWith('the views have not come to')

/** Probabilities, per exchange. `slow`: a write takes far longer than others to arrive. */
export interface FaultRates {
  slow: number
  append: number
  cut: number
  commit: number
  rankings: number
}

/** From a node's start to its crash. What is dead sends nothing and hears nothing. */
export class Life {
  alive = true
  readonly #end = new AbortController()
  /** Resolves when the node dies. */
  readonly death: Promise<'died'>

  constructor() {
    this.death = new Promise((resolve) => this.#end.signal.addEventListener('abort', () => resolve('died')))
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  kill(): void {
    this.alive = false
    this.#end.abort()
  }
}
