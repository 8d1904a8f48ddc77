// Soak test: applies the logs of simulated histories to fresh views with writes that fail part way.

import { viewsOver } from '../../projections/all.ts'
import type { Log } from '../../stores/contract/log.ts'
import { Random } from '../random.ts'
import { applyBreaking } from './broken-writes.ts'
import { playHistory } from './history.ts'
import { rebuild } from './oracle/rebuilt.ts'
import { newHistory } from './world/in-memory.ts'

/** Upper bound of `times`: it makes the seed of each run unique. */
const TIMES_MAX = 1_000

export interface BrokenWritesProof {
  /** Events of all logs together, and the number of interrupted writes. */
  readonly events: number
  readonly breaks: number
  /** One line for each failed run, with the seed that reproduces it. */
  readonly failed: readonly string[]
}

export async function proveBrokenWrites(proof: {
  readonly logs: number
  readonly firstSeed: number
  /** How often each log is applied. */
  readonly times: number
  onProgress?(applied: number, failed: number, last: string): void
}): Promise<BrokenWritesProof> {
  const { logs, firstSeed, times } = proof
  const failed: string[] = []
  let [events, breaks] = [0, 0]
  for (let seed = firstSeed; seed < firstSeed + logs; seed++) {
    const log = await logOf(seed)
    events += (await log.readAll(null, Number.MAX_SAFE_INTEGER)).length
    // Half of the runs read history from the log's index, the others from the history view.
    const kept = [await rebuild(log), await rebuild(log, viewsOver({ history: null }))] as const
    for (let time = 0; time < times; time++) {
      const rebuilt = kept[time % 2 === 0 ? 0 : 1]
      const tried = await applyBreaking(log, rebuilt, new Random(seed * TIMES_MAX + time))
      breaks += tried.breaks
      const [first] = tried.differences
      if (first !== undefined) failed.push(`log of seed ${seed}, time ${time}: ${first}`)
    }
    proof.onProgress?.(seed + 1 - firstSeed, failed.length, failed.at(-1) ?? '')
  }
  return { events, breaks, failed }
}

const THEMES = ['boards', 'files', null] as const
/** Longer than the histories of simulation.test.ts, so that more commands act on earlier results. */
const CALLS_MAX = 100

/** The encrypted log of a simulated history without faults. */
async function logOf(seed: number): Promise<Log> {
  const random = new Random(seed)
  const drawn = newHistory(seed)
  const history = { ...drawn, theme: random.pick(THEMES), maxCalls: CALLS_MAX }
  const { world, cluster } = history
  Object.assign(world.rates, { slow: 0, append: 0, cut: 0, commit: 0, rankings: 0 })
  await world.scheduler.underItsTime(() => playHistory(history))
  cluster.end()
  return world.log
}
