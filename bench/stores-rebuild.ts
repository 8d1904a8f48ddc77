// Rebuilds from EventStoreDB: reading the log by pages and by a subscription, and rebuilding all views in MongoDB and
// Redis. The limit is the client library reading the same events. Counts this process; the time of the servers is
// printed, too.

import { EventStoreDBClient } from '@eventstore/db-client'
import { ALL_PARTITIONS } from '../domain/partition.ts'
import { STREAM_PREFIXES } from '../domain/streams.ts'
import { viewsOver } from '../projections/all.ts'
import { catchUp } from '../projections/catch-up.ts'
import { createApplier } from '../projections/create-applier.ts'
import { entries } from '../projections/entries.ts'
import { viewKey, viewSpec } from '../projections/projection.ts'
import type { Log } from '../stores/contract/log.ts'
import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'
import { openEventStore } from '../stores/eventstoredb/log.ts'
import { openMongo } from '../stores/mongodb/open.ts'
import { openRedis } from '../stores/redis/open.ts'
import {
  type Append,
  appendAll,
  type BoardReference,
  boardCreated,
  numbers,
  playerId,
  RULES,
  submitted,
} from './support/events.ts'
import { readRaw, SEEDED_AT_ONCE } from './support/eventstoredb.ts'
import { inTurn, median, ownCpuSeconds, type Size } from './support/measure.ts'
import { quietRun } from './support/projection-run.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { type BenchServers, startServers, unused } from './support/servers.ts'

const EVENTS = 100_000
const QUICK_EVENTS = 20_000
const SUBMISSIONS_A_PLAYER = 10
const SCORES = 1_000_000
const GOAL = 0.6
/** Reads like the runner: history in pages, new events in batches. */
const PAGE = 4_000
const BATCH = 1_000
/** Full pages, but few: each event makes two documents, and a slow server takes seconds per page. */
const REBUILT = 3 * PAGE
const QUICK_REBUILT = PAGE

export async function benchStoresRebuild(size: Size): Promise<BenchRow[]> {
  const servers = await startServers()
  try {
    const log = await openEventStore({ url: servers.eventStoreUrl, prefixes: STREAM_PREFIXES })
    const client = EventStoreDBClient.connectionString(servers.eventStoreUrl)
    try {
      await appendAll(log, submissions(size.quick ? QUICK_EVENTS : EVENTS), SEEDED_AT_ONCE)
      return [...(await benchReading(size, log, client)), await benchViews(size, servers, log, client)]
    } finally {
      await client.dispose()
      await log.close()
    }
  } finally {
    await servers.stop()
  }
}

/** Players submit round-robin to one unique board. */
function* submissions(count: number): Iterable<Append> {
  const boardRef: BoardReference = { game: `game-${unused()}`, board: `board-${unused()}` }
  yield boardCreated(boardRef, { ...RULES, unique: true })
  const random = numbers(4)
  const players = count / SUBMISSIONS_A_PLAYER
  for (let n = 0; n < count - 1; n++) {
    yield submitted(boardRef, playerId(n % players), random(SCORES), Math.floor(n / players), n)
  }
}

async function benchReading(size: Size, log: Log, client: EventStoreDBClient): Promise<BenchRow[]> {
  const events = await readRaw(client, Number.MAX_SAFE_INTEGER)
  const costs = await inTurn(size.rounds, {
    limit: () => ownCpuSeconds(() => readRaw(client, Number.MAX_SAFE_INTEGER)),
    pages: () => ownCpuSeconds(() => readPages(log)),
    followed: () => ownCpuSeconds(() => follow(log)),
  })
  const each = (seconds: readonly number[]) => seconds.map((one) => one / events)
  const limit = each(costs.limit)
  const what = `read the log of EventStoreDB, ${events.toLocaleString('en')} events`
  return [
    fastEnough({ what: `${what}, by pages / its client's readAll`, limit, ours: each(costs.pages) }, GOAL),
    fastEnough({ what: `${what}, by subscription / the same`, limit, ours: each(costs.followed) }, GOAL),
  ]
}

async function readPages(log: Log): Promise<void> {
  for (let after: string | null = null; ; ) {
    const events = await log.readAll(after, PAGE)
    after = events.at(-1)?.position ?? after
    if (events.length < PAGE) return
  }
}

async function follow(log: Log): Promise<void> {
  const head = await log.head()
  const over = new AbortController()
  for await (const events of log.subscribe(null, BATCH, over.signal)) {
    if (events.at(-1)?.position === head) over.abort()
  }
}

async function benchViews(
  size: Size,
  { mongoUrl, redisUrl, redisPrefix }: BenchServers,
  log: Log,
  client: EventStoreDBClient,
): Promise<BenchRow> {
  const events = size.quick ? QUICK_REBUILT : REBUILT
  const until = await positionOf(log, events)
  const { views, close } = await openMongo({ url: mongoUrl })
  const { rankings, close: closeRedis } = await openRedis({ url: redisUrl, namespace: redisPrefix })
  const seconds: number[] = []
  try {
    const costs = await inTurn(size.rounds, {
      limit: () => ownCpuSeconds(() => readRaw(client, events)),
      ours: async () => {
        await empty(views, rankings)
        const began = performance.now()
        const cost = await ownCpuSeconds(() => rebuild({ log, views, rankings }, until))
        seconds.push((performance.now() - began) / 1_000)
        return cost
      },
    })
    await empty(views, rankings)
    const each = (all: readonly number[]) => all.map((one) => one / events)
    const what = `rebuild ${VIEWS.length} views over EventStoreDB into MongoDB and Redis, ${events.toLocaleString('en')} events`
    const row = fastEnough({ what: `${what} / readAll`, limit: each(costs.limit), ours: each(costs.ours) }, GOAL)
    return { ...row, ours: `${row.ours}, ${Math.round(events / median(seconds)).toLocaleString('en')} /s` }
  } finally {
    await close()
    await closeRedis()
  }
}

const VIEWS = viewsOver({ history: null })

async function positionOf(log: Log, events: number): Promise<string> {
  let last = ''
  for (let read = 0; read < events; read += PAGE) {
    last = (await log.readAll(last === '' ? null : last, PAGE)).at(-1)?.position ?? last
  }
  return last
}

async function rebuild(stores: { log: Log; views: Views; rankings: AllRankings }, until: string): Promise<void> {
  // Pretend that the log ends there.
  const deps = quietRun({ ...stores, history: null, log: { ...stores.log, head: async () => until } })
  for (const view of VIEWS) await stores.views.prepare(viewSpec(view))
  const appliers = VIEWS.map((view) => createApplier(view, deps))
  await catchUp(deps, appliers, new Set(ALL_PARTITIONS), new AbortController().signal)
}

async function empty(views: Views, rankings: AllRankings): Promise<void> {
  for (const view of await views.list()) await views.drop(view)
  await rankings.drop(viewKey(entries))
}
