// Plays the history of one seed and judges it.

import { UNCLAIMED_KEPT_MS } from '../../reactions/sweep-credentials.ts'
import { type History, playHistory } from './history.ts'
import { judge } from './oracle/oracle.ts'
import { checkSwept } from './oracle/swept.ts'
import { newHistory } from './world/in-memory.ts'

/** Past the end of every ban, upload, retained download and unclaimed secret or blob. */
const LAST_LEAPS_MS = [20 * 60_000, UNCLAIMED_KEPT_MS + 60 * 60_000]

const STRAY = 'stray'

/** Runs that close seasons after a leap, where others run once: in operation they follow each other twice a second. */
const MORE_CLOSINGS = 40

/** Where histories are played: in memory or on servers. */
export interface Course {
  /** The command that replays one history, without its seed. */
  readonly again: string
  /** How many histories can run at once. */
  readonly atOnce: number
  /** Maximum runs of the timed work after a leap. More than one where a slow store can make a run fail. */
  readonly timedRuns: number
  newHistory(seed: number): Promise<History>
  /** Waits until no work is pending; rejects on a timeout. */
  comeToRest(history: History): Promise<void>
}

/** One history at a time, because virtual time is global. No work is pending once a history has been played. */
export const IN_MEMORY: Course = {
  again: 'npx mocha test/simulation/simulation.test.ts',
  atOnce: 1,
  timedRuns: 1,
  newHistory: async (seed) => newHistory(seed),
  comeToRest: async () => {},
}

/** The same, with clocks that are set forward and back. */
export const SETTING_CLOCKS: Course = {
  ...IN_MEMORY,
  again: 'npx mocha test/simulation/clocks.test.ts',
  newHistory: async (seed) => newHistory(seed, { setsClocks: true }),
}

/** The same, with leaderboards that have seasons; clocks are set in every third history. */
export const WITH_SEASONS: Course = {
  ...IN_MEMORY,
  again: 'npx mocha test/simulation/seasons.test.ts',
  newHistory: async (seed) => newHistory(seed, { setsClocks: seed % 3 === 0, hasSeasons: true }),
}

interface Played {
  readonly seed: number
  /** Defects, one line each. */
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
        for (let run = 1; run <= course.timedRuns; run++) {
          await scheduler.play(() => history.cluster.runAllTimed())
          await course.comeToRest(history)
          if (!history.world.blobs.lying.has(STRAY)) break
        }
        unswept.push(...(await checkSwept(history.world)))
        // A run leaves a season to the next one if the views have applied its closing meanwhile.
        for (let run = 1; run <= MORE_CLOSINGS && history.hasSeasons; run++) {
          await scheduler.play(() => history.cluster.runOneTimed('close_seasons'))
        }
        // A blob that belongs to no upload: the sweep must remove it.
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
