// What goes wrong in a simulated history on purpose: faults of exchanges with the stores, and the death of nodes.

/** A fault that was planted: what else goes wrong is a defect. */
export class PlantedFault extends Error {}

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
