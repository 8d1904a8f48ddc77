// The cost of encoding and inserting a sort key as an in-process ranking grows. The limit is the cost at 1,000 entries.

import type { Rankings } from '../stores/contract/rankings.ts'
import { inTurn, ownCpuSeconds, ROUNDS, ratioOf } from './support/measure.ts'
import { change, emptyRankings, encode, fieldsOf, fill, keyOf, MILLION, micro } from './support/ranking-sort-keys.ts'
import type { BenchRow } from './support/row.ts'

const SMALLEST = 1_000
const LARGER = [MILLION, 10 * MILLION]
const INSERTS = 5_000
/** Inserts before as many removals restore the size: few relative to the smallest ranking. */
const INSERT_RUN = 100
const GOAL_GROWTH = 2

export async function benchRankingGrowth(): Promise<BenchRow[]> {
  const rankings = await emptyRankings()
  const sizes = [SMALLEST, ...LARGER]
  for (const size of sizes) await fill(rankings, keyOf(size), size)
  const sides = sizes.map((size) => [String(size), () => insertSeconds(rankings, size)] as const)
  const costs = await inTurn(ROUNDS, Object.fromEntries(sides))
  const limit = costs[String(SMALLEST)] ?? []
  return LARGER.map((size) => {
    const ours = costs[String(size)] ?? []
    const ratio = ratioOf(ours, limit)
    return {
      what: `encode and insert one, ranking of ${size.toLocaleString('en')} / of ${SMALLEST.toLocaleString('en')}`,
      limit: micro(limit),
      ours: micro(ours),
      ratio: ratio.toFixed(2),
      goal: `≤ ${GOAL_GROWTH}`,
      met: ratio <= GOAL_GROWTH,
    }
  })
}

async function insertSeconds(rankings: Rankings, size: number): Promise<number> {
  const key = keyOf(size)
  let seconds = 0
  for (let from = 0; from < INSERTS; from += INSERT_RUN) {
    const first = 20 * MILLION + Math.floor(Math.random() * MILLION) * INSERT_RUN
    const all = Array.from({ length: INSERT_RUN }, (_, n) => fieldsOf(first + n))
    seconds += await ownCpuSeconds(async () => {
      for (const fields of all) await rankings.put([change(key, [], encode(fields))])
    })
    await rankings.put(all.map((fields) => change(key, [encode(fields)], null)))
  }
  return seconds / INSERTS
}
