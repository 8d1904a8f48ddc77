// A measurement as a row of the table: each side in its unit, the ratio, and whether the goal was met.

import { median, ratioOf } from './measure.ts'
import type { BenchRow } from './row.ts'

interface Measured {
  readonly what: string
  /** Seconds of processor time per piece of work, a figure a round. */
  readonly limit: readonly number[]
  readonly ours: readonly number[]
}

/** Our speed is to be at least `goal` times the limit's. */
export function fastEnough({ what, limit, ours }: Measured, goal: number): BenchRow {
  const ratio = ratioOf(limit, ours)
  return {
    what,
    limit: `${rate(limit)} /cpu s`,
    ours: `${rate(ours)} /cpu s`,
    ratio: ratio.toFixed(3),
    goal: `≥ ${goal}`,
    met: ratio >= goal,
  }
}

/** The same beside something that nobody promised to reach: it says what part of a limit is ours to mend. */
export const beside = (measured: Measured): BenchRow => ({ ...fastEnough(measured, 0), goal: 'none' })

/** Our cost is to be at most `goal` times the limit's. */
export function cheapEnough({ what, limit, ours }: Measured, goal: number): BenchRow {
  const ratio = ratioOf(ours, limit)
  return { what, limit: time(limit), ours: time(ours), ratio: ratio.toFixed(3), goal: `≤ ${goal}`, met: ratio <= goal }
}

const rate = (costs: readonly number[]): string => Math.round(1 / median(costs)).toLocaleString('en')

function time(costs: readonly number[]): string {
  const seconds = median(costs)
  return seconds < 0.1 ? `${(seconds * 1e6).toFixed(2)} µs` : `${seconds.toFixed(2)} s`
}
