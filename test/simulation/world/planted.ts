// Faults that a simulated history injects: failed calls to the stores, and the death of nodes.

import { ViewsBehind } from '../../../reactions/wait.ts'
import { FillBroken, RankingsLost } from '../../../stores/contract/rankings.ts'

/** An injected fault. Any other failure is a defect. */
export class PlantedFault extends Error {}

/**
 * Whether an error is an injected fault, or a report that rankings were lost or that another node filled them
 * meanwhile.
 */
export const isPlanted = (error: unknown): error is Error =>
  error instanceof PlantedFault || error instanceof RankingsLost || error instanceof FillBroken

/**
 * Whether a process timed out waiting for views: the node that applies them may have had no step, or too much to do.
 */
export const isLate = (error: unknown): boolean => error instanceof ViewsBehind

/** Probabilities per call. `slow`: a write takes far longer than usual. */
export interface FaultRates {
  slow: number
  append: number
  cut: number
  commit: number
  rankings: number
}

/** A node from its start to its crash. A dead node sends and receives nothing. */
export class Incarnation {
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
