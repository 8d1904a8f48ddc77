// Plays the histories of some seeds in memory, for the tests.

import { expect } from 'chai'
import { type Course, IN_MEMORY, runHistory } from './run-history.ts'
import { isLong } from './world/in-memory.ts'
import { BECAME } from './world/rebuilding.ts'

/** How many of the last steps of a failed history are printed. */
const TRACE_SHOWN = 100

/** The seeds that are played: `histories` in order, of which `long` take as long as many others. */
export interface SomeSeeds {
  readonly firstSeed: number
  readonly histories: number
  readonly long: number
}

export function seedsOf({ firstSeed, histories, long }: SomeSeeds): number[] {
  const inOrder = Array.from({ length: 2 * histories }, (_, i) => firstSeed + i)
  const longOnes = inOrder.filter(isLong).slice(0, long)
  return [...longOnes, ...inOrder.filter((seed) => !isLong(seed)).slice(0, histories - longOnes.length)]
}

/**
 * Throws at the first seed with defects, with the end of its trace. `isTraced`: prints each trace. Returns how often a
 * rebuild of all views ended in which way.
 */
export async function playSeeds(
  seeds: readonly number[],
  isTraced = false,
  course: Course = IN_MEMORY,
): Promise<ReadonlyMap<string, number>> {
  const became = new Map<string, number>()
  for (const seed of seeds) {
    const { defects, trace } = await runHistory(seed, course)
    for (const line of trace) if (line.startsWith(BECAME)) became.set(line, (became.get(line) ?? 0) + 1)
    if (isTraced) console.log(trace.join('\n'))
    if (defects.length > 0) {
      const again = `SIM_SEED=${seed} ${course.again}`
      throw new Error([`seed ${seed}`, ...defects, again, '', ...trace.slice(-TRACE_SHOWN)].join('\n'))
    }
  }
  return became
}

/** Fails if these histories hardly rebuilt all views. */
export function expectRebuilds(became: ReadonlyMap<string, number>): void {
  for (const outcome of ['switched', 'taken_back', 'cancelled'])
    expect(became.get(`${BECAME} ${outcome}`), outcome).to.be.greaterThan(1)
}
