// Where the stores of a world under test lie: in its data folder; or, under `npm run test:servers`, on three servers, each
// world with a log, a database and keys of its own.

import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.ts'
import { type EventStoreServer, startEventStore } from './eventstoredb/server.ts'
import { type Databases, databases } from './ferretdb/database.ts'
import { startRedis } from './redis.ts'

/** A part of a configuration. */
export type Places = Pick<Config, 'eventStoreUrl' | 'mongoUrl' | 'redisUrl' | 'redisPrefix'>

export interface FreshPlaces {
  readonly places: Places
  /** Ends what stands for this world alone. */
  end(): Promise<void>
}

/** Whether this run promises servers. */
export const ON_SERVERS = process.env.TEST_STORES === 'servers'

export const EMBEDDED: Places = { eventStoreUrl: null, mongoUrl: null, redisUrl: null, redisPrefix: 'scorebook:' }

interface Shared {
  readonly documents: Databases
  readonly redis: { readonly url: string; stop(): Promise<void> }
}

let shared: Promise<Shared> | null = null

// Of the root suite, as this is loaded with the first file that needs it; outside mocha the caller ends them.
if (ON_SERVERS && 'after' in globalThis) after(endSharedServers)

export async function freshPlaces(): Promise<FreshPlaces> {
  if (!ON_SERVERS) return { places: EMBEDDED, end: async () => {} }
  const eventStore = await startEventStore()
  const { places } = await placesBeside(eventStore)
  return { places, end: () => eventStore.stop() }
}

/** A database and keys of their own beside a log that the test has in hand. */
export async function placesBeside(eventStore: Pick<EventStoreServer, 'url'>): Promise<FreshPlaces> {
  shared ??= startShared()
  const { documents, redis } = await shared
  const mongoUrl = documents.fresh()
  const places = {
    eventStoreUrl: eventStore.url,
    mongoUrl,
    redisUrl: redis.url,
    redisPrefix: `${randomUUID()}:`,
  }
  return { places, end: () => documents.drop(mongoUrl) }
}

async function startShared(): Promise<Shared> {
  const given = process.env.REDIS_URL
  const [documents, redis] = await Promise.all([
    databases(),
    given === undefined || given === '' ? startRedis() : { url: given, stop: async () => {} },
  ])
  return { documents, redis }
}

/** Ends the servers that worlds share; who needs them after that starts others. */
export async function endSharedServers(): Promise<void> {
  const ending = shared
  shared = null
  const started = await ending
  await Promise.all([started?.documents.end(), started?.redis.stop()])
}

/** The places as the environment of a server process. */
export function environmentOf({ eventStoreUrl, mongoUrl, redisUrl, redisPrefix }: Places): Record<string, string> {
  return {
    EVENTSTORE_URL: eventStoreUrl ?? '',
    MONGODB_URL: mongoUrl ?? '',
    REDIS_URL: redisUrl ?? '',
    REDIS_PREFIX: redisPrefix,
  }
}
