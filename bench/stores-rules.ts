// Changes the rules of a unique board on EventStoreDB, MongoDB and Redis. The limit is the client library reading the
// same events. Measures clock time, which includes the servers, and processor time of this process. Also prints the
// waits by cause; concurrent waits count for each cause.

import { EventStoreDBClient } from '@eventstore/db-client'
import { STREAM_PREFIXES } from '../domain/streams.ts'
import { timeOfHead } from '../server/node-clock.ts'
import { openEventStore } from '../stores/eventstoredb/log.ts'
import { openMongo } from '../stores/mongodb/open.ts'
import { openRedis } from '../stores/redis/open.ts'
import { openTogether } from '../stores/support/open-together.ts'
import { boardEvents } from './support/board-events.ts'
import { appendAll, boardCreated, RULES } from './support/events.ts'
import { readRaw, SEEDED_AT_ONCE } from './support/eventstoredb.ts'
import { median, type Size } from './support/measure.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { installed, type RulesNode, startRulesNode, Waits } from './support/rules-node.ts'
import { type BenchServers, startServers, unused } from './support/servers.ts'

/** As many as the test servers build views of in about a minute. */
const SUBMISSIONS = 50_000
const QUICK_SUBMISSIONS = 10_000
const GOAL = 0.6

/** The cost of one read or one change. */
interface Cost {
  readonly seconds: number
  readonly cpuSeconds: number
  /** Seconds of waiting, by cause. */
  readonly waits: ReadonlyMap<string, number>
}

export async function benchStoresRules(size: Size): Promise<BenchRow[]> {
  const servers = await startServers()
  try {
    const opened = await openAll(servers)
    const client = EventStoreDBClient.connectionString(servers.eventStoreUrl)
    try {
      const waits = new Waits()
      const installation = await installed(opened, waits)
      const boardRef = { game: `game-${unused()}`, board: `board-${unused()}` }
      const submissions = size.quick ? QUICK_SUBMISSIONS : SUBMISSIONS
      await opened.log.append(...created(boardRef))
      await appendAll(opened.log, boardEvents(boardRef, submissions), SEEDED_AT_ONCE)
      const node = await startRulesNode(installation)
      try {
        const change = (round: number) => node.change(boardRef, round % 2 === 0 ? 'asc' : 'desc')
        return await measured(size.rounds, submissions, { client, change, waits })
      } finally {
        await node.stop()
      }
    } finally {
      await client.dispose()
      await opened.close()
    }
  } finally {
    await servers.stop()
  }
}

interface Measured {
  readonly client: EventStoreDBClient
  readonly waits: Waits
  change(round: number): ReturnType<RulesNode['change']>
}

/** Alternating, after a warm-up of each. */
async function measured(rounds: number, submissions: number, { client, change, waits }: Measured): Promise<BenchRow[]> {
  const raw: Cost[] = []
  const ours: Cost[] = []
  for (let round = 0; round <= rounds; round++) {
    let events = 0
    const read = async () => {
      events = await readRaw(client, Number.MAX_SAFE_INTEGER)
    }
    raw.push(each(await taken(waits, read), events))
    ours.push(each(await taken(waits, () => change(round)), submissions))
  }
  const sides = (figure: 'seconds' | 'cpuSeconds') => ({
    limit: raw.slice(1).map((one) => one[figure]),
    ours: ours.slice(1).map((one) => one[figure]),
  })
  const what = `other rules for a unique board of ${submissions.toLocaleString('en')} submissions on three servers / readAll`
  const clock = fastEnough({ what: `${what}, by the clock`, ...sides('seconds') }, GOAL)
  const own = (text: string) => text.replace('/cpu s', '/s')
  return [
    { ...clock, limit: own(clock.limit), ours: `${own(clock.ours)}: ${sharesOf(ours.slice(1))}` },
    fastEnough({ what: `${what}, processor time of ours`, ...sides('cpuSeconds') }, GOAL),
  ]
}

const each = ({ seconds, cpuSeconds, waits }: Cost, events: number): Cost => ({
  seconds: seconds / events,
  cpuSeconds: cpuSeconds / events,
  waits: new Map([...waits].map(([kind, one]) => [kind, one / events])),
})

/** Medians, as shares of the clock time. */
function sharesOf(all: readonly Cost[]): string {
  const part = (secondsOf: (one: Cost) => number) =>
    `${Math.round(median(all.map((one) => (100 * secondsOf(one)) / one.seconds)))} %`
  const kinds = [...(all[0]?.waits.keys() ?? [])].sort()
  const waited = kinds.map((kind) => `${kind} ${part(({ waits }) => waits.get(kind) ?? 0)}`)
  return [...waited, `own processor time ${part(({ cpuSeconds }) => cpuSeconds)}`].join(', ')
}

async function taken(waits: Waits, work: () => Promise<unknown>): Promise<Cost> {
  waits.taken()
  const [began, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - began) / 1_000
  return { seconds, cpuSeconds: (user + system) / 1e6, waits: waits.taken() }
}

function created(boardRef: Parameters<typeof boardCreated>[0]) {
  const { stream, expected, event } = boardCreated(boardRef, { ...RULES, unique: true })
  return [stream, expected, [event]] as const
}

function openAll({ eventStoreUrl, mongoUrl, redisUrl, redisPrefix }: BenchServers) {
  return openTogether({
    log: async () => {
      const log = await openEventStore({ url: eventStoreUrl, prefixes: STREAM_PREFIXES })
      const newestTime = () => timeOfHead(log)
      return { log, history: null, newestTime, logErasure: null, streamErasure: null, close: () => log.close() }
    },
    documents: async () => ({ ...(await openMongo({ url: mongoUrl })), documentErasure: null }),
    memory: () => openRedis({ url: redisUrl, namespace: redisPrefix }),
  })
}
