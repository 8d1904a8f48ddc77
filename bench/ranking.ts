// Ranks and neighbours in an in-process ranking, against Redis with the same sort keys: by the clock with one command
// in flight, and by processor time with many.

import { deepStrictEqual } from 'node:assert'
import type { Rankings } from '../stores/contract/rankings.ts'
import { cpuSecondsOf, inTurn, ownCpuSeconds, ROUNDS, ratioOf } from './support/measure.ts'
import { BATCH, emptyRankings, fill, keyOf, MILLION, micro, sortKeyOf } from './support/ranking-sort-keys.ts'
import { type BenchRedis, startRedis } from './support/redis.ts'
import type { BenchRow } from './support/row.ts'

const AROUND = 20
/** Reads per round, and how many go to Redis in a batch or singly. */
const READS = 20_000
const PIPELINE = 100
const ROUND_TRIPS = 500
const GOAL_UNPIPELINED = 15
const GOAL_PIPELINED = 3

export async function benchRanking(): Promise<BenchRow[]> {
  const rankings = await emptyRankings()
  await fill(rankings, keyOf(MILLION), MILLION)
  const redis = await startRedis()
  try {
    if (redis !== null) await copyToRedis(rankings, redis)
    return [await unpipelinedRow(rankings, redis), await pipelinedRow(rankings, redis)]
  } finally {
    await redis?.stop()
  }
}

async function copyToRedis(rankings: Rankings, redis: BenchRedis): Promise<void> {
  for (let from = 0; from < MILLION; from += BATCH) {
    const pairs = Array.from({ length: BATCH }, (_, n) => ['0', sortKeyOf(from + n)])
    await redis.run([['ZADD', 'board', ...pairs.flat()]])
  }
  const sortKey = sortKeyOf(4_711)
  const around = await rankings.around(keyOf(MILLION), sortKey, AROUND)
  const [rank] = await redis.run([['ZRANK', 'board', sortKey]])
  const [sortKeys] = await redis.run([rangeCommand(Number(rank))])
  deepStrictEqual({ rank, sortKeys }, { rank: around?.rank, sortKeys: around?.sortKeys })
}

const rangeCommand = (rank: number): string[] => {
  const offset = Math.max(0, rank - AROUND / 2)
  return ['ZRANGE', 'board', String(offset), String(offset + AROUND - 1)]
}

/** Uniformly drawn sort keys, new ones in each round, so that they are not cached. */
const draw = (count: number): string[] =>
  Array.from({ length: count }, () => sortKeyOf(Math.floor(Math.random() * MILLION)))

async function readAll(rankings: Rankings, sortKeys: readonly string[]): Promise<void> {
  for (const sortKey of sortKeys) {
    const around = await rankings.around(keyOf(MILLION), sortKey, AROUND)
    if (around?.sortKeys.length !== AROUND) throw new Error(`${sortKey} is not ranked`)
  }
}

async function elapsedSeconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

async function unpipelinedRow(rankings: Rankings, redis: BenchRedis | null): Promise<BenchRow> {
  const costs = await inTurn(ROUNDS, {
    limit: async () => {
      if (redis === null) return Number.NaN
      const sortKeys = draw(ROUND_TRIPS)
      const work = async () => {
        for (const sortKey of sortKeys) {
          const [rank] = await redis.run([['ZRANK', 'board', sortKey]])
          await redis.run([rangeCommand(Number(rank))])
        }
      }
      return (await elapsedSeconds(work)) / ROUND_TRIPS
    },
    ours: async () => {
      const sortKeys = draw(READS)
      return (await elapsedSeconds(() => readAll(rankings, sortKeys))) / READS
    },
  })
  return readsRow('unpipelined', costs, GOAL_UNPIPELINED)
}

async function pipelinedRow(rankings: Rankings, redis: BenchRedis | null): Promise<BenchRow> {
  const costs = await inTurn(ROUNDS, {
    limit: async () => {
      if (redis === null) return Number.NaN
      const pairs: (readonly string[])[] = []
      for (const sortKey of draw(READS)) {
        const [rank] = await rankings.ranks(keyOf(MILLION), [sortKey])
        pairs.push(['ZRANK', 'board', sortKey], rangeCommand(rank ?? 0))
      }
      const before = cpuSecondsOf(redis.pid)
      for (let from = 0; from < pairs.length; from += 2 * PIPELINE) {
        await redis.run(pairs.slice(from, from + 2 * PIPELINE))
      }
      return (cpuSecondsOf(redis.pid) - before) / READS
    },
    ours: async () => {
      const sortKeys = draw(READS)
      return (await ownCpuSeconds(() => readAll(rankings, sortKeys))) / READS
    },
  })
  return readsRow('pipelined, processor time of redis-server', costs, GOAL_PIPELINED)
}

interface ReadCosts {
  readonly limit: readonly number[]
  readonly ours: readonly number[]
}

function readsRow(how: string, { limit, ours }: ReadCosts, goal: number): BenchRow {
  const ratio = ratioOf(limit, ours)
  return {
    what: `rank and ${AROUND} around it, in process, 1,000,000 entries / Redis ZRANK + ZRANGE, ${how}`,
    limit: Number.isNaN(ratio) ? 'not measured: no redis-server' : micro(limit),
    ours: micro(ours),
    ratio: ratio.toFixed(1),
    goal: `≥ ${goal}`,
    met: ratio >= goal,
  }
}
