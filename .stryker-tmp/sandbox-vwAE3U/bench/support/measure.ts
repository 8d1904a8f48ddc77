// How everything here is measured: processor time, not the clock's, as other work shares the machine; both sides of a
// comparison in turn, so that what slows one slows the other; medians, and the median of the rounds' own ratios.

import { readFileSync } from 'node:fs'

/** Fewer rounds than this are no measurement. */
export const ROUNDS = 7
const QUICK_ROUNDS = 3

/** Clock ticks of `/proc/<pid>/stat` in a second: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

export interface Size {
  readonly quick: boolean
  readonly rounds: number
  /** Entries of the large board. */
  readonly entries: number
}

export const FULL: Size = { quick: false, rounds: ROUNDS, entries: 1_000_000 }
export const QUICK: Size = { quick: true, rounds: QUICK_ROUNDS, entries: 100_000 }

/** What each side cost per piece of work, in seconds: a figure a round. */
export type Costs<Side extends string> = Readonly<Record<Side, readonly number[]>>

/** Runs every side once a round, in turn, after one round that does not count. */
export async function inTurn<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<number>>>,
): Promise<Costs<Side>> {
  const names = Object.keys(sides) as Side[]
  const costs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Side, number[]>
  for (const name of names) await sides[name]()
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

/** The value that this share of them does not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Median over the rounds of one side's cost by the other's. */
export function ratioOf(costs: readonly number[], by: readonly number[]): number {
  return median(costs.map((cost, round) => cost / (by[round] ?? Number.NaN)))
}

/** Seconds of processor time that a process and its threads have used so far. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name, in brackets, may hold anything; the fields after it are numbered from the state, which is the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Seconds of processor time that this process spends on some work. */
export async function ownCpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
