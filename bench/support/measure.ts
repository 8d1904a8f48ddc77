// The method of all measurements: processor time instead of clock time, because the machine is shared; alternating
// sides, so that disturbances affect both; medians, and the median of the ratios of the rounds.

import { readFileSync } from 'node:fs'

/** Minimum rounds for a meaningful measurement. */
export const ROUNDS = 7
const QUICK_ROUNDS = 3

/** Clock ticks per second of `/proc/<pid>/stat`: 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100

export interface Size {
  readonly quick: boolean
  readonly rounds: number
  /** Entries of the large board. */
  readonly entries: number
}

export const FULL: Size = { quick: false, rounds: ROUNDS, entries: 1_000_000 }
export const QUICK: Size = { quick: true, rounds: QUICK_ROUNDS, entries: 100_000 }

/** Seconds per operation of each side, one figure per round. */
export type Costs<Side extends string> = Readonly<Record<Side, readonly number[]>>

/** Rounds that warm up servers: V8 has optimized the code of a kind of request after some 20,000 of them. */
export const SERVER_WARM_UPS = 4

/** Runs every side once per round, alternating, after rounds that warm up. */
export async function inTurn<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<number>>>,
  warmUps = 1,
): Promise<Costs<Side>> {
  const names = Object.keys(sides) as Side[]
  const costs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Side, number[]>
  for (let round = 0; round < warmUps; round++) for (const name of names) await sides[name]()
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) costs[name].push(await sides[name]())
  }
  return costs
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The quantile of the values; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Median over the rounds of the ratio of the sides' costs. */
export function ratioOf(costs: readonly number[], by: readonly number[]): number {
  return median(costs.map((cost, round) => cost / (by[round] ?? Number.NaN)))
}

/** Processor seconds that a process and its threads have used. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name in brackets may contain anything. The next field, the state, is the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Processor seconds that this process spends on some work. */
export async function ownCpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
