// What the ranking in process costs: places and neighbours against Redis on the same members, memory, and an insert as a
// ranking grows. Members come in random order, as scores do.

import { deepStrictEqual } from 'node:assert'
import { parseDecimal } from '../domain/decimal.ts'
import { encodeMember, type RankedFields } from '../ranking/member.ts'
import type { FilledRanking, RankingChange, Rankings } from '../stores/contract/rankings.ts'
import { positionOf } from '../stores/embedded/log-position.ts'
import { createRankings } from '../stores/embedded/rankings.ts'
import { cpuSecondsOf, inTurn, median, ownCpuSeconds, ROUNDS, ratioOf } from './measure.ts'
import { memoryInUse } from './memory.ts'
import { type BenchRedis, startRedis } from './redis.ts'
import type { BenchRow } from './row.ts'

const MILLION = 1_000_000
const AROUND = 20
/** Reads of one round, and how many of them go to Redis at once or singly. */
const READS = 20_000
const PIPELINE = 100
const ROUND_TRIPS = 500
const BATCH = 1_000
const GOAL_UNPIPELINED = 15
const GOAL_PIPELINED = 3
const LIMIT_BYTES = 16
const GOAL_BYTES = 64
const SMALLEST = 1_000
const LARGER = [MILLION, 10 * MILLION]
const INSERTS = 5_000
/** Inserts before as many removals bring a ranking back to its size: few beside the smallest. */
const INSERT_RUN = 100
const GOAL_GROWTH = 2

export async function benchRanking(): Promise<BenchRow[]> {
  const rankings = createRankings().of('bench@1', 0)
  await (await rankings.beginFill('bench')).finish(null, noRankings())
  const empty = memoryInUse()
  await fill(rankings, keyOf(MILLION), MILLION)
  const bytes = (memoryInUse() - empty) / MILLION
  return [...(await benchReads(rankings)), memoryRow(bytes), ...(await benchInserts(rankings))]
}

const keyOf = (size: number): string => `board of ${size}`

/** The nth entry of a board: a score of six digits and an id of 24 characters, both random but the same each time. */
function fieldsOf(n: number): RankedFields {
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

const encode = (fields: RankedFields): string => encodeMember(fields, { ordering: 'desc', secondaryOrdering: 'desc' })

const memberOf = (n: number): string => encode(fieldsOf(n))

let events = 0

function change(key: string, before: readonly string[], after: string | null): RankingChange {
  return { key, before, after, pos: positionOf(++events) }
}

async function* noRankings(): AsyncGenerator<FilledRanking> {}

async function fill(rankings: Rankings, key: string, size: number): Promise<void> {
  for (let from = 0; from < size; from += BATCH) {
    await rankings.put(Array.from({ length: BATCH }, (_, n) => change(key, [], memberOf(from + n))))
  }
}

function memoryRow(bytes: number): BenchRow {
  return {
    what: 'memory per ranked entry, in process, 1,000,000 put in random order',
    limit: `${LIMIT_BYTES} bytes`,
    ours: `${bytes.toFixed(1)} bytes`,
    ratio: (bytes / LIMIT_BYTES).toFixed(2),
    goal: `≤ ${GOAL_BYTES} bytes`,
    met: bytes <= GOAL_BYTES,
  }
}

async function benchReads(rankings: Rankings): Promise<BenchRow[]> {
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
    const pairs = Array.from({ length: BATCH }, (_, n) => ['0', memberOf(from + n)])
    await redis.run([['ZADD', 'board', ...pairs.flat()]])
  }
  const member = memberOf(4_711)
  const around = await rankings.around(keyOf(MILLION), member, AROUND)
  const [rank] = await redis.run([['ZRANK', 'board', member]])
  const [members] = await redis.run([rangeCommand(Number(rank))])
  deepStrictEqual({ rank, members }, { rank: around?.rank, members: around?.members })
}

const rangeCommand = (rank: number): string[] => {
  const offset = Math.max(0, rank - AROUND / 2)
  return ['ZRANGE', 'board', String(offset), String(offset + AROUND - 1)]
}

/** Members drawn uniformly. Drawn anew each round, so that no cache knows them. */
const draw = (count: number): string[] =>
  Array.from({ length: count }, () => memberOf(Math.floor(Math.random() * MILLION)))

async function readAll(rankings: Rankings, members: readonly string[]): Promise<void> {
  for (const member of members) {
    const around = await rankings.around(keyOf(MILLION), member, AROUND)
    if (around?.members.length !== AROUND) throw new Error(`${member} is not ranked`)
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
      const members = draw(ROUND_TRIPS)
      const work = async () => {
        for (const member of members) {
          const [rank] = await redis.run([['ZRANK', 'board', member]])
          await redis.run([rangeCommand(Number(rank))])
        }
      }
      return (await elapsedSeconds(work)) / ROUND_TRIPS
    },
    ours: async () => {
      const members = draw(READS)
      return (await elapsedSeconds(() => readAll(rankings, members))) / READS
    },
  })
  return readsRow('unpipelined', costs, GOAL_UNPIPELINED)
}

async function pipelinedRow(rankings: Rankings, redis: BenchRedis | null): Promise<BenchRow> {
  const costs = await inTurn(ROUNDS, {
    limit: async () => {
      if (redis === null) return Number.NaN
      const pairs: (readonly string[])[] = []
      for (const member of draw(READS)) {
        const [rank] = await rankings.ranks(keyOf(MILLION), [member])
        pairs.push(['ZRANK', 'board', member], rangeCommand(rank ?? 0))
      }
      const before = cpuSecondsOf(redis.pid)
      for (let from = 0; from < pairs.length; from += 2 * PIPELINE) {
        await redis.run(pairs.slice(from, from + 2 * PIPELINE))
      }
      return (cpuSecondsOf(redis.pid) - before) / READS
    },
    ours: async () => {
      const members = draw(READS)
      return (await ownCpuSeconds(() => readAll(rankings, members))) / READS
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

const micro = (costs: readonly number[]): string => `${(median(costs) * 1e6).toFixed(2)} µs`

/** What a submission costs the ranking: its member encoded and put. */
async function benchInserts(rankings: Rankings): Promise<BenchRow[]> {
  const sizes = [SMALLEST, ...LARGER]
  for (const size of sizes) if ((await rankings.size(keyOf(size))) === 0) await fill(rankings, keyOf(size), size)
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
