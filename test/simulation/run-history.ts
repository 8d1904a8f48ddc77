// Plays and judges the history of a seed.

import { UNCLAIMED_KEPT_MS } from '../../processes/sweep-secrets.ts'
import { type History, playHistory } from './history.ts'
import { judge } from './oracle/oracle.ts'
import { checkSwept } from './oracle/swept.ts'
import { newHistory } from './world/in-memory.ts'

/** Past the end of every ban and upload, of what is kept for downloads under way, and of what nobody knows or claimed. */
const LAST_LEAPS_MS = [20 * 60_000, UNCLAIMED_KEPT_MS + 60 * 60_000]

const STRAY = 'stray'

/** Where histories are played. */
export interface Course {
  /** How a history of it is played again by itself, before its seed. */
  readonly again: string
  /** How many can be played at one time. */
  readonly atOnce: number
  /** How often at most it is looked what is due by time, until all is seen to: where a store is late a look is in vain. */
  readonly looks: number
  newHistory(seed: number): Promise<History>
  /** Waits until all that was set off has come to its end; rejects where it does not. */
  comeToRest(history: History): Promise<void>
}

/** One at a time: time itself is the history's. Played to its end, nothing is left there that could happen. */
export const IN_MEMORY: Course = {
  again: 'npx mocha test/simulation/simulation.test.ts',
  atOnce: 1,
  looks: 1,
  newHistory: async (seed) => newHistory(seed),
  comeToRest: async () => {},
}

interface Played {
  readonly seed: number
  /** What was wrong, one line each. */
  readonly defects: readonly string[]
  readonly trace: readonly string[]
}

export async function runHistory(seed: number, course: Course = IN_MEMORY): Promise<Played> {
  const history = await course.newHistory(seed)
  const { scheduler } = history.world
  const defects = await scheduler.underItsTime(async () => {
    try {
      await playHistory(history)
      await course.comeToRest(history)
      const unswept: string[] = []
      for (const ms of LAST_LEAPS_MS) {
        scheduler.leap(ms)
        for (let look = 1; look <= course.looks; look++) {
          await scheduler.play(() => history.cluster.tickAll())
          await course.comeToRest(history)
          if (!history.world.blobs.lying.has(STRAY)) break
        }
        unswept.push(...(await checkSwept(history.world)))
        // Bytes that no upload ever was for.
        if (ms === LAST_LEAPS_MS[0]) history.world.blobs.put(STRAY, '', 1, scheduler.nowMs)
      }
      return [...unswept, ...(await judge(history))]
    } catch (failure) {
      return [...history.defects, failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)]
    } finally {
      history.cluster.end()
      await history.world.close()
    }
  })
  return { seed, defects, trace: scheduler.trace }
}
