// A row of the benchmark table: our figure, a limit measured in the same run, their ratio, and whether the goal is met.

import { median, ratioOf } from './measure.ts'

export interface BenchRow {
  readonly what: string
  /** The limit with its unit, or why it was not measured. */
  readonly limit: string
  readonly ours: string
  /** The ratio as printed, in the direction of the goal. */
  readonly ratio: string
  readonly goal: string
  readonly met: boolean
}

interface Measured {
  readonly what: string
  /** Processor seconds per operation, one figure per round. */
  readonly limit: readonly number[]
  readonly ours: readonly number[]
}

/** Our speed must be at least `goal` times the limit's. */
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

/** Our cost must be at most `goal` times the limit's. */
export function cheapEnough({ what, limit, ours }: Measured, goal: number): BenchRow {
  const ratio = ratioOf(ours, limit)
  return { what, limit: time(limit), ours: time(ours), ratio: ratio.toFixed(3), goal: `≤ ${goal}`, met: ratio <= goal }
}

/** Milliseconds of one quantile before and during some work, which must be at most `goal` times as long. */
export function slowedBy(
  { what, before, during }: { readonly what: string; readonly before: number; readonly during: number },
  goal: number,
): BenchRow {
  return {
    what,
    limit: `${before.toFixed(1)} ms before`,
    ours: `${during.toFixed(1)} ms`,
    ratio: (during / before).toFixed(2),
    goal: `≤ ${goal}`,
    met: during <= goal * before,
  }
}

const rate = (costs: readonly number[]): string => Math.round(1 / median(costs)).toLocaleString('en')

function time(costs: readonly number[]): string {
  const seconds = median(costs)
  return seconds < 0.1 ? `${(seconds * 1e6).toFixed(2)} µs` : `${seconds.toFixed(2)} s`
}
