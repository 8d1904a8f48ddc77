// In-process rankings, filled with sort keys in random order.

import { parseDecimal } from '../../domain/decimal.ts'
import { encodeSortKey, type RankedFields } from '../../ranking/sort-key.ts'
import type { FilledRanking, RankingChange, Rankings } from '../../stores/contract/rankings.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'
import { createRankings } from '../../test/memory/rankings-in-process.ts'
import { median } from './measure.ts'

export const MILLION = 1_000_000
/** Sort keys per put. */
export const BATCH = 1_000

export async function emptyRankings(): Promise<Rankings> {
  const rankings = createRankings().of('bench@1', 0)
  await (await rankings.beginFill('bench')).finish(null, noRankings())
  return rankings
}

export const keyOf = (size: number): string => `board of ${size}`

/** The nth entry of a board: a six-digit score and an id of 24 characters, both pseudo-random. */
export function fieldsOf(n: number): RankedFields {
  const mixed = Math.imul(n + 1, 0x9e3779b1) >>> 0
  const score = parseDecimal(String(mixed % MILLION))
  if (score === null) throw new Error(`entry ${n} has no score`)
  const id = (
    mixed.toString(32) +
    Math.imul(mixed ^ 0x5bd1e995, 0x85ebca6b)
      .toString(32)
      .slice(1)
  ).padEnd(16, 'k')
  return { score, secondary: null, timeMs: 1_795_244_701_123 + n, id: id + n.toString(32).padStart(8, 'a') }
}

export const encode = (fields: RankedFields): string =>
  encodeSortKey(fields, { ordering: 'desc', secondaryOrdering: 'desc' })

export const sortKeyOf = (n: number): string => encode(fieldsOf(n))

let events = 0

export function change(key: string, before: readonly string[], after: string | null): RankingChange {
  return { key, before, after, pos: positionOf(++events) }
}

async function* noRankings(): AsyncGenerator<FilledRanking> {}

export async function fill(rankings: Rankings, key: string, size: number): Promise<void> {
  for (let from = 0; from < size; from += BATCH) {
    await rankings.put(Array.from({ length: BATCH }, (_, n) => change(key, [], sortKeyOf(from + n))))
  }
}

export const micro = (costs: readonly number[]): string => `${(median(costs) * 1e6).toFixed(2)} µs`
