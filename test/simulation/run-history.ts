// Plays and judges the history of a seed.

import { newHistory, playHistory } from './history.ts'
import { judge } from './oracle.ts'

export interface Played {
  readonly seed: number
  /** What was wrong, one line each. */
  readonly defects: readonly string[]
  readonly trace: readonly string[]
}

export async function runHistory(seed: number): Promise<Played> {
  const history = newHistory(seed)
  const { scheduler } = history.world
  const defects = await scheduler.underVirtualTime(async () => {
    try {
      await playHistory(history)
      return await judge(history)
    } catch (failure) {
      return [...history.defects, failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)]
    } finally {
      history.cluster.end()
    }
  })
  return { seed, defects, trace: scheduler.trace }
}
