// Rankings in Redis against plain ZADD commands of the same sort keys with the same client library: fills of whole
// rankings, and changes as a live projection makes them. Counts the processor time of this process and of redis-server,
// which reports its own.

import { createClient } from 'redis'
import { parseDecimal } from '../domain/decimal.ts'
import { encodeSortKey } from '../ranking/sort-key.ts'
import type { FilledRanking, RankingChange, Rankings } from '../stores/contract/rankings.ts'
import { positionOf } from '../stores/embedded/log-schema.ts'
import { openRedis } from '../stores/redis/open.ts'
import { inTurn, ownCpuSeconds, type Size } from './support/measure.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { redisServer, unused } from './support/servers.ts'

const SORT_KEYS = 500_000
const QUICK_SORT_KEYS = 100_000
const SMALL_BOARD = 10
const GOAL_FILL = 0.8
/** Sort keys per ZADD, and commands in flight. */
const SORT_KEYS_AT_ONCE = 1_000
const COMMANDS_AT_ONCE = 2_000
const GOAL_LIVE = 0.35
const CHANGES = 1_000
const CALLS_A_ROUND = 20
const KEYS = 200
const LIVE_SORT_KEYS = 100_000
const VIEW = 'bench@1'

/** A ranking: its key and its sort keys in ascending order. */
type Board = readonly [key: string, sortKeys: readonly string[]]

interface Bench {
  readonly size: Size
  readonly rankings: Rankings
  readonly plain: Plain
}

interface Plain {
  readonly namespace: string
  /** Sends commands with limited concurrency. */
  send(commands: Iterable<string[]>): Promise<void>
  /** Deletes every key of its namespace, and waits until Redis has freed the memory. */
  clear(): Promise<void>
  /** Processor seconds of the server. */
  cpuSeconds(): Promise<number>
}

export async function benchStoresRanking(size: Size): Promise<BenchRow[]> {
  const server = await redisServer()
  try {
    const namespace = `bench-${unused()}:`
    const client = await createClient({ url: server.url, RESP: 2 }).connect()
    const { rankings, close } = await openRedis({ url: server.url, namespace })
    try {
      const bench = {
        size,
        rankings: rankings.of(VIEW, 0),
        plain: plainOf((args) => client.sendCommand(args), `${namespace}plain:`),
      }
      return [...(await benchFills(bench)), ...(await benchLive(bench))]
    } finally {
      await close()
      client.destroy()
    }
  } finally {
    await server.stop()
  }
}

function plainOf(run: (args: string[]) => Promise<unknown>, namespace: string): Plain {
  const info = async (field: string): Promise<number> => {
    const text = String(await run(['INFO', 'everything']))
    return Number(new RegExp(`^${field}:(.*)$`, 'm').exec(text)?.[1])
  }
  async function send(commands: Iterable<string[]>): Promise<void> {
    let sent: Promise<unknown>[] = []
    for (const command of commands) {
      sent.push(run(command))
      if (sent.length < COMMANDS_AT_ONCE) continue
      await Promise.all(sent)
      sent = []
    }
    await Promise.all(sent)
  }
  async function clear(): Promise<void> {
    for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
      const found = await run(['SCAN', cursor, 'MATCH', `${namespace}*`, 'COUNT', '1000'])
      const [next, keys] = found as [string, string[]]
      cursor = next
      if (keys.length > 0) await run(['UNLINK', ...keys])
    }
    while ((await info('lazyfree_pending_objects')) > 0) await new Promise((wake) => setTimeout(wake, 10))
  }
  const cpuSeconds = async () => (await info('used_cpu_user')) + (await info('used_cpu_sys'))
  return { namespace, send, clear, cpuSeconds }
}

/** Processor seconds of this process and redis-server. */
async function secondsOf({ plain }: Bench, work: () => Promise<void>): Promise<number> {
  const before = await plain.cpuSeconds()
  const own = await ownCpuSeconds(work)
  return own + (await plain.cpuSeconds()) - before
}

const numberOf = (n: number): number => Math.imul(n + 1, 0x9e3779b1) >>> 0

/** The nth sort key: a score of up to seven digits, and an id in our format; `tries` raises the score. */
function sortKeyOf(n: number, tries = 0): string {
  const score = parseDecimal(String((numberOf(n) % 1_000_000) + tries * 1_000_000))
  if (score === null) throw new Error(`sort key ${n} has no score`)
  const id = `${numberOf(n).toString(32).padStart(8, 'k')}${n.toString(32).padStart(18, 'a')}`
  const rules = { ordering: 'desc', secondaryOrdering: 'desc' } as const
  return encodeSortKey({ score, secondary: null, timeMs: 1_795_244_701_123 + n, id }, rules)
}

const sortKeysOf = (count: number, from = 0): string[] => Array.from({ length: count }, (_, n) => sortKeyOf(from + n))

async function benchFills(bench: Bench): Promise<BenchRow[]> {
  const count = bench.size.quick ? QUICK_SORT_KEYS : SORT_KEYS
  const one: Board[] = [['board', sortKeysOf(count).sort()]]
  const many = Array.from({ length: count / SMALL_BOARD }, (_, n): Board => {
    return [`board ${n}`, sortKeysOf(SMALL_BOARD, n * SMALL_BOARD).sort()]
  })
  const sortKeys = count.toLocaleString('en')
  return [
    await benchFill(bench, `fill a ranking of ${sortKeys} in Redis / ZADD`, one, count),
    await benchFill(bench, `fill rankings of ${SMALL_BOARD}, ${sortKeys} sort keys, in Redis / ZADD`, many, count),
  ]
}

async function benchFill(bench: Bench, what: string, boards: readonly Board[], count: number): Promise<BenchRow> {
  const { rankings, plain } = bench
  const costs = await inTurn(bench.size.rounds, {
    limit: async () => {
      const seconds = await secondsOf(bench, () => plain.send(zadds(plain, boards)))
      await plain.clear()
      return seconds / count
    },
    ours: async () => {
      const seconds = await secondsOf(bench, () => fill(rankings, boards))
      await fill(rankings, [])
      await plain.clear()
      return seconds / count
    },
  })
  return fastEnough({ what, ...costs }, GOAL_FILL)
}

function* zadds({ namespace }: Plain, boards: Iterable<Board>): Iterable<string[]> {
  for (const [key, sortKeys] of boards) {
    for (let at = 0; at < sortKeys.length; at += SORT_KEYS_AT_ONCE) {
      const command = ['ZADD', `${namespace}${key}`]
      for (const sortKey of sortKeys.slice(at, at + SORT_KEYS_AT_ONCE)) command.push('0', sortKey)
      yield command
    }
  }
}

async function fill(rankings: Rankings, boards: readonly Board[]): Promise<void> {
  await (await rankings.beginFill('bench')).finish(null, filled(boards))
}

async function* filled(boards: readonly Board[]): AsyncGenerator<FilledRanking> {
  for (const [key, sortKeys] of boards) yield { key, sortKeys: batches(sortKeys) }
}

async function* batches(sortKeys: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let at = 0; at < sortKeys.length; at += 5_000) yield sortKeys.slice(at, at + 5_000)
}

async function benchLive(bench: Bench): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const keys of [KEYS, 1]) {
    for (const improving of [false, true]) rows.push(await benchPuts(bench, keys, improving))
  }
  return rows
}

/** Calls over this many keys; each change adds a sort key or improves one. */
async function benchPuts(bench: Bench, keys: number, improving: boolean): Promise<BenchRow> {
  const { rankings, plain } = bench
  const filled = Array.from({ length: keys }, (_, key): Board => {
    const sortKeys = Array.from({ length: LIVE_SORT_KEYS / keys }, (_, n) => sortKeyOf(n * keys + key))
    return [`live ${key}`, sortKeys.sort()]
  })
  await fill(rankings, filled)
  await plain.send(zadds(plain, filled))
  // Both sides apply the same changes in the same order.
  const [ofLimit, ofOurs] = [drawing(keys, improving), drawing(keys, improving)]
  const costs = await inTurn(bench.size.rounds, {
    limit: () => {
      const calls = ofLimit()
      return putSeconds(bench, () => eachOf(calls, (changes) => plain.send(plainly(plain, changes))))
    },
    ours: () => {
      const calls = ofOurs()
      return putSeconds(bench, () => eachOf(calls, (changes) => rankings.put(changes)))
    },
  })
  await plain.clear()
  const over = keys === 1 ? 'one key' : `${keys} keys`
  const what = improving ? 'better sort keys for others / ZADD and ZREM' : 'new sort keys / ZADD'
  return fastEnough(
    { what: `put into Redis live, ${CHANGES} changes a call over ${over}, ${what}`, ...costs },
    GOAL_LIVE,
  )
}

const putSeconds = async (bench: Bench, work: () => Promise<void>) =>
  (await secondsOf(bench, work)) / CHANGES / CALLS_A_ROUND

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (const item of items) await work(item)
}

/** Generates the calls of each round. */
function drawing(keys: number, improving: boolean): () => RankingChange[][] {
  let drawn = 0
  const change = (): RankingChange => {
    const n = drawn++
    const common = { key: `live ${n % keys}`, pos: positionOf(drawn) }
    if (!improving) return { ...common, before: [], after: sortKeyOf(LIVE_SORT_KEYS + n) }
    const [round, sortKey] = [Math.floor(n / LIVE_SORT_KEYS), n % LIVE_SORT_KEYS]
    return { ...common, before: [sortKeyOf(sortKey, round)], after: sortKeyOf(sortKey, round + 1) }
  }
  const call = () => Array.from({ length: CHANGES }, change)
  return () => Array.from({ length: CALLS_A_ROUND }, call)
}

/** The same changes without guards: sort keys to add and to remove per key. */
function* plainly({ namespace }: Plain, changes: readonly RankingChange[]): Iterable<string[]> {
  const come = new Map<string, string[]>()
  const go = new Map<string, string[]>()
  for (const { key, before, after } of changes) {
    const name = `${namespace}${key}`
    if (after !== null) listOf(come, name, 'ZADD').push('0', after)
    if (before.length > 0) listOf(go, name, 'ZREM').push(...before)
  }
  yield* come.values()
  yield* go.values()
}

function listOf(lists: Map<string, string[]>, name: string, command: string): string[] {
  const known = lists.get(name)
  if (known !== undefined) return known
  const list = [command, name]
  lists.set(name, list)
  return list
}
