// Other rules for a unique board over EventStoreDB, MongoDB and Redis, beside the client library merely reading the same events:
// by the clock, with what the servers take, and by processor time of this process. Said beside it is what the time went into.

import { EventStoreDBClient } from '@eventstore/db-client'
import { STREAM_PREFIXES } from '../domain/streams.ts'
import type { Log } from '../stores/contract/log.ts'
import { openTogether } from '../stores/contract/stores.ts'
import { openEventStore } from '../stores/eventstoredb/log.ts'
import { openMongo } from '../stores/mongodb/open.ts'
import { openRedis } from '../stores/redis/open.ts'
import {
  type Append,
  appendAll,
  boardCreated,
  numbers,
  type Place,
  playerCreated,
  playerId,
  RULES,
  submitted,
} from './events.ts'
import { median, type Size } from './measure.ts'
import type { BenchRow } from './row.ts'
import { installed, startRulesNode } from './rules-node.ts'
import { type BenchServers, startServers, unused } from './servers.ts'
import { readRaw } from './stores-rebuild.ts'
import { fastEnough } from './verdict.ts'
import { Waits } from './waits.ts'

const SUBMISSIONS = Number(process.env.BENCH_SUBMISSIONS ?? 50_000)
const QUICK_SUBMISSIONS = 10_000
const A_PLAYER = 10
const SCORES = 1_000_000
/** So few that each is answered in time by a server that shares a machine with others. */
const IN_FLIGHT = 500
const GOAL = 0.6
const ROUNDS_MOST = 4

/** Of one reading or one change. */
interface Taken {
  readonly seconds: number
  readonly cpuSeconds: number
}

export async function benchStoresRules(size: Size): Promise<BenchRow[]> {
  const servers = await startServers()
  try {
    return await measured(size, servers)
  } finally {
    await servers.stop()
  }
}

async function measured(size: Size, servers: BenchServers): Promise<BenchRow[]> {
  const submissions = size.quick ? QUICK_SUBMISSIONS : SUBMISSIONS
  const waits = new Waits()
  const opened = await openAll(servers)
  const client = EventStoreDBClient.connectionString(servers.eventStoreUrl)
  try {
    const installation = await installed(opened, waits)
    const place = { game: `game-${unused()}`, board: `board-${unused()}` }
    await timedLine('seeding', () => appendAll(opened.log, eventsOf(place, submissions), IN_FLIGHT))
    const node = await timedLine('views', () => startRulesNode(installation))
    try {
      const raw: Taken[] = []
      const ours: Taken[] = []
      let events = 0
      const rounds = Math.min(size.rounds, ROUNDS_MOST)
      for (let round = -1; round < rounds; round++) {
        const read = await taken(async () => {
          events = await readRaw(client, Number.MAX_SAFE_INTEGER)
        })
        waits.taken()
        const changed = await taken(() => node.change(place, round % 2 === 0 ? 'desc' : 'asc'))
        process.stderr.write(
          `raw ${told(read, events)}; change ${told(changed, submissions)}: ${shareLine(waits.taken(), changed)}\n`,
        )
        if (round < 0) continue
        raw.push({ seconds: read.seconds / events, cpuSeconds: read.cpuSeconds / events })
        ours.push({ seconds: changed.seconds / submissions, cpuSeconds: changed.cpuSeconds / submissions })
      }
      return rowsOf(submissions, raw, ours)
    } finally {
      await node.stop()
    }
  } finally {
    await client.dispose()
    await opened.close()
  }
}

function rowsOf(submissions: number, raw: readonly Taken[], ours: readonly Taken[]): BenchRow[] {
  const what = `other rules for a unique board of ${submissions.toLocaleString('en')} submissions on three servers / readAll of the log`
  const cpu = fastEnough(
    {
      what: `${what}, processor time`,
      limit: raw.map((one) => one.cpuSeconds),
      ours: ours.map((one) => one.cpuSeconds),
    },
    GOAL,
  )
  const clock = fastEnough(
    { what: `${what}, by the clock`, limit: raw.map((one) => one.seconds), ours: ours.map((one) => one.seconds) },
    GOAL,
  )
  const bySecond = (text: string) => text.replace('/cpu s', '/s')
  return [{ ...clock, limit: bySecond(clock.limit), ours: bySecond(clock.ours) }, cpu]
}

async function taken(work: () => Promise<unknown>): Promise<Taken> {
  const [began, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - began) / 1_000, cpuSeconds: (user + system) / 1e6 }
}

const told = ({ seconds, cpuSeconds }: Taken, events: number) =>
  `${Math.round(events / seconds)} /s, ${Math.round(events / cpuSeconds)} /cpu s (${seconds.toFixed(2)} s)`

function shareLine(waits: ReadonlyMap<string, number>, { seconds, cpuSeconds }: Taken): string {
  const part = (ms: number) => `${(ms / 10 / seconds).toFixed(0)} %`
  const waited = [...waits].map(([kind, ms]) => `${kind} ${part(ms)}`)
  return [...waited, `own processor time ${part(cpuSeconds * 1_000)}`].join(', ')
}

async function timedLine<Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> {
  const began = performance.now()
  const answer = await work()
  process.stderr.write(`${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s\n`)
  return answer
}

function openAll({ eventStoreUrl, mongoUrl, redisUrl, redisPrefix }: BenchServers) {
  return openTogether({
    log: async () => {
      const log: Log & { close(): Promise<void> } = await openEventStore({
        url: eventStoreUrl,
        prefixes: STREAM_PREFIXES,
      })
      return { log, history: null, close: () => log.close() }
    },
    documents: () => openMongo({ url: mongoUrl }),
    memory: () => openRedis({ url: redisUrl, namespace: redisPrefix }),
  })
}

function* eventsOf(place: Place, submissions: number): Iterable<Append> {
  const random = numbers(1)
  const players = submissions / A_PLAYER
  yield boardCreated(place, { ...RULES, unique: true })
  for (let n = 0; n < players; n++) yield playerCreated(place.game, n)
  for (let n = 0; n < submissions; n++) {
    yield submitted(place, playerId(n % players), random(SCORES), Math.floor(n / players), n)
  }
}
void median
