// What the ranking in process costs: places and neighbours against Redis on the same members, memory, and an insert as a
// ranking grows. Rounds are interleaved and their medians printed.

import { deepStrictEqual } from 'node:assert'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Decimal, parseDecimal } from '../domain/decimal.ts'
import { encodeMember, type Standing } from '../ranking/member.ts'
import type { RankingChange, Rankings } from '../stores/contract/rankings.ts'
import { createRankings } from '../stores/embedded/rankings.ts'
import { type BenchRedis, startRedis } from './redis.ts'
import { type BenchRow, median } from './row.ts'

const MILLION = 1_000_000
const ROUNDS = 9
const AROUND = 20
const READS = 20_000
const ROUND_TRIPS = 400
const INSERTS = 5_000
/** Inserts between removals that bring a ranking back to its size: few against the smallest. */
const INSERT_RUN = 100
const PIPELINE = 100
const BATCH = 1_000
const BYTES_LIMIT = 16
const BYTES_GOAL = 64

export async function benchRanking(): Promise<BenchRow[]> {
  const empty = memoryInUse()
  const rankings = createRankings()
  await fill(rankings, 'million', MILLION)
  const bytes = (memoryInUse() - empty) / MILLION
  const rows = [...(await benchReads(rankings)), memoryRow(bytes)]
  return [...rows, ...(await benchInserts(rankings))]
}
