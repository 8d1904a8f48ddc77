// Histories on the three servers, in real time. Each node has its own connections, and faults hit real stores. The seed
// decides what is tried, but not the order in which it happens.

import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { createClient } from 'redis'
import { STREAM_PREFIXES } from '../../../domain/streams.ts'
import { startHeartbeat } from '../../../server/node/heartbeat.ts'
import { openTemporaryViews } from '../../../server/verify.ts'
import { StoresFault, StoreUnavailable } from '../../../stores/contract/faults.ts'
import type { Leases } from '../../../stores/contract/leases.ts'
import type { Log } from '../../../stores/contract/log.ts'
import { openEventStore } from '../../../stores/eventstoredb/log.ts'
import { openMongo } from '../../../stores/mongodb/open.ts'
import { openRedis } from '../../../stores/redis/open.ts'
import { Random } from '../../random.ts'
import { type EventStoreServer, startEventStore } from '../../servers/eventstoredb/server.ts'
import { freshStoresBeside, type ServerUrls } from '../../servers/store-urls.ts'
import { type History, historyIn } from '../history.ts'
import { again } from '../oracle/again.ts'
import type { Course } from '../run-history.ts'
import { comeToRest } from './at-rest.ts'
import { createBlobs } from './blobs.ts'
import { createMasters } from './masters.ts'
import { type Incarnation, isLate, isPlanted } from './planted.ts'
import { isRebuilt } from './rebuilding.ts'
import { RealTime } from './step-scheduler.ts'
import { isVerified } from './verifying.ts'
import type { Fault, NodeStores, World } from './world.ts'

/** Deadline of an answer in milliseconds; a silent subscription is detected after about twice as long. */
const DEADLINE_MS = 500
const HEARTBEAT_MS = 400
/** Deadline where no faults are injected: calls are not given up. */
const CALM_DEADLINE_MS = 10_000
/**
 * Far longer than this process can be blocked: histories share it with each other and with the oracle, on a machine
 * that may be slow. A node that loses its leases starts its views and reactions again, and would not come to rest.
 */
const TIMES = { heartbeatEveryMs: 200, leaseMs: 30_000 }
/**
 * How long the leases of a node outlive it: shorter than in production, where a history would pause for seconds after
 * each crash.
 */
const OUTLIVED_MS = 1_000
const LOST_MAX = 3
/** Smaller than in memory: each step is a round trip, and every commit writes every view's checkpoint. */
const PARTS_OF_COMMIT = 3

/** Several at once: they mostly wait for servers and deadlines. */
export const SERVERS: Course = {
  again: 'npx mocha --exit test/simulation/simulation.servers.ts',
  atOnce: 4,
  timedRuns: 100,
  newHistory,
  comeToRest,
}

/** A history with its own log, database and keys. */
async function newHistory(seed: number): Promise<History> {
  const random = new Random(seed)
  const scheduler = new RealTime(random)
  const harshness = random.pick([0, 0.5, 1, 1])
  const nodes = random.chance(0.5) ? 2 : 1
  const defects: string[] = []
  const voidedMs: number[] = []
  const eventStore = await startEventStore()
  const { storeUrls, end } = await freshStoresBeside(eventStore)
  const opened: { close(): Promise<void> }[] = []
  const open = async () => {
    const stores = await openAll(storeUrls, harshness === 0 ? CALM_DEADLINE_MS : DEADLINE_MS)
    opened.push(stores)
    return stores
  }
  const own = await openAll(storeUrls, CALM_DEADLINE_MS)
  opened.push(own)
  const world: World = {
    ...own,
    log: patient(own.log),
    scheduler,
    rates: {
      slow: 0,
      append: 0.04 * harshness,
      cut: 0.02 * harshness,
      commit: 0.05 * harshness,
      rankings: 0.03 * harshness,
    },
    partsOfCommit: PARTS_OF_COMMIT,
    masters: createMasters(),
    blobs: createBlobs(),
    mailed: [],
    voidedMs,
    rebuilds: isRebuilt(seed),
    verifies: isVerified(seed),
    applying: new Set(),
    faults: faultsOf(eventStore, storeUrls, random, () => void voidedMs.push(scheduler.nowMs)),
    // As on a real server: queries use indexes.
    openBeside: () => openTemporaryViews(tmpdir()),
    open,
    setBack: () => dropSome(own, random),
    async heal() {
      eventStore.loseAnswers(0)
      eventStore.loseRequests(0)
      eventStore.unstall()
    },
    isPlanted: (error): error is Error => isLate(error) || isUnavailable(error) || (harshness > 0 && isOfFaults(error)),
    defect: (text) => void defects.push(text),
    async close() {
      await Promise.allSettled(opened.map((stores) => stores.close()))
      await Promise.all([eventStore.stop(), end()])
    },
  }
  scheduler.note(`seed ${seed}: ${nodes} nodes on servers, harshness ${harshness}`)
  return historyIn(world, { nodes, isHarsh: harshness > 0, defects })
}

/** The oracle retries where a fault took the answer. */
function patient(log: Log): Log {
  return { ...log, head: () => again(log.head), readAll: (after, limit) => again(() => log.readAll(after, limit)) }
}

/** Opens the stores as one process does. */
async function openAll(storeUrls: ServerUrls, deadlineMs: number): Promise<NodeStores & { close(): Promise<void> }> {
  const { eventStoreUrl: url, mongoUrl, redisUrl } = storeUrls.servers
  const log = await openEventStore({ url, prefixes: STREAM_PREFIXES, deadlineMs, heartbeatMs: HEARTBEAT_MS })
  const documents = await openMongo({ url: mongoUrl })
  const redis = await openRedis({ url: redisUrl, namespace: storeUrls.redisPrefix, leaseMs: TIMES.leaseMs })
  const close = async () => {
    await Promise.allSettled([log.close(), documents.close(), redis.close()])
  }
  const join: NodeStores['join'] = (incarnation, keys, failed) => {
    const node = { id: randomUUID(), group: keys.join(), uses: keys }
    expireAfterDeath(redis.leases, node.id, incarnation)
    return startHeartbeat(mortal(redis.leases, incarnation), node, { onHeartbeat: () => {}, failed }, TIMES)
  }
  const { rankings, transient, rates: windows } = redis
  const { views, vault } = documents
  return { log, history: null, views, vault, rankings, transient, windows, join, close }
}

/** Stands in for the expiry of a dead node's leases. */
function expireAfterDeath(leases: Leases, node: string, { signal }: Incarnation): void {
  const expire = () => void setTimeout(() => void leases.leave(node).catch(() => {}), OUTLIVED_MS).unref()
  signal.addEventListener('abort', expire, { once: true })
}

/** A dead node sends no heartbeats. */
function mortal(leases: Leases, incarnation: Incarnation): Leases {
  return { ...leases, heartbeat: (node) => (incarnation.alive ? leases.heartbeat(node) : new Promise(() => {})) }
}

function faultsOf(log: EventStoreServer, storeUrls: ServerUrls, random: Random, voided: () => void): readonly Fault[] {
  const empty = async () => {
    await emptied(storeUrls)
    voided()
  }
  return [
    { name: 'answers of appends are lost', happen: () => log.loseAnswers(1 + random.below(LOST_MAX)) },
    { name: 'appends are lost', happen: () => log.loseRequests(1 + random.below(LOST_MAX)) },
    { name: 'the log cuts its connections', happen: () => log.cut() },
    { name: 'the log restarts', happen: () => log.restart() },
    { name: 'subscriptions fall silent', happen: () => log.stall() },
    { name: 'Redis is emptied', happen: empty },
    { name: 'Redis is emptied once more', happen: empty },
  ]
}

/** Deletes every Redis key of this history in one step. */
async function emptied({ servers: { redisUrl }, redisPrefix }: ServerUrls): Promise<void> {
  const client = createClient({ url: redisUrl })
  await client.connect()
  const script = "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end"
  await client.eval(script, { arguments: [`${redisPrefix}*`] })
  client.destroy()
}

/** Drops some views or all of them, for the next node to rebuild; with all of them goes the active-build pointer. */
async function dropSome({ views }: NodeStores, random: Random): Promise<string> {
  const all = (await views.list()).filter((view) => !view.startsWith('process_')).sort()
  const isView = (view: string) => !view.startsWith('builds@')
  const dropped = random.chance(0.5) ? all : all.filter((view) => isView(view) && random.chance(0.5))
  for (const view of dropped) await views.drop(view)
  return `nothing: ${dropped.join(', ')}`
}

/** Also accepted in calm histories: on an overloaded machine any answer can be late, including one at start. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof StoreUnavailable || (error instanceof StoresFault && error.message.includes('no answer within'))

/** Reports of the log client about calls and subscriptions that failed, timed out or fell silent. */
const BROKEN_OFF = new Set(['NoAnswer', 'Stalled', 'OutcomeUnknown'])
const ENDED = 'EventStoreDB ended the subscription'

function isOfFaults(error: unknown): boolean {
  if (isPlanted(error) || error instanceof StoreUnavailable || error instanceof StoresFault) return true
  if (!(error instanceof Error)) return false
  const isRefused = 'kind' in error && error.kind === 'unavailable'
  const isOfGrpc = 'code' in error && typeof error.code === 'number' && 'details' in error
  return isRefused || isOfGrpc || BROKEN_OFF.has(error.name) || error.message === ENDED
}
