// The stores of a world under test: its data folder, or, under `npm run test:servers`, three servers with a log, a
// database and keys for each world.

import { randomUUID } from 'node:crypto'
import type { Config, StoreServers } from '../../server/config.ts'
import { atEnd } from '../at-end.ts'
import { type EventStoreServer, startEventStore } from './eventstoredb/server.ts'
import { type Databases, databases } from './ferretdb/database.ts'
import { startRedis } from './redis.ts'

/** The store URLs of a configuration. */
export type StoreUrls = Pick<Config, 'servers' | 'redisPrefix'>

export type ServerUrls = StoreUrls & { readonly servers: StoreServers }

export interface FreshStores {
  readonly storeUrls: StoreUrls
  /** Ends the servers that only this world uses. */
  end(): Promise<void>
}

export interface ServerStores extends FreshStores {
  readonly storeUrls: ServerUrls
}

/** True if this run uses servers. */
export const ON_SERVERS = process.env.TEST_STORES === 'servers'

export const EMBEDDED: StoreUrls = { servers: null, redisPrefix: 'scorebook:' }

interface Shared {
  readonly documents: Databases
  readonly redis: { readonly url: string; stop(): Promise<void> }
}

let shared: Promise<Shared> | null = null

// Outside mocha the caller ends them.
if (ON_SERVERS) atEnd(endSharedServers)

export async function freshStores(): Promise<FreshStores> {
  if (!ON_SERVERS) return { storeUrls: EMBEDDED, end: async () => {} }
  const eventStore = await startEventStore()
  const { storeUrls } = await freshStoresBeside(eventStore)
  return { storeUrls, end: () => eventStore.stop() }
}

/** A new database and new keys beside a log that the test provides. */
export async function freshStoresBeside(eventStore: Pick<EventStoreServer, 'url'>): Promise<ServerStores> {
  shared ??= startShared()
  const { documents, redis } = await shared
  const mongoUrl = documents.fresh()
  const servers = { eventStoreUrl: eventStore.url, mongoUrl, redisUrl: redis.url }
  const storeUrls = { servers, redisPrefix: `${randomUUID()}:` }
  return { storeUrls, end: () => documents.drop(mongoUrl) }
}

async function startShared(): Promise<Shared> {
  const given = process.env.REDIS_URL
  const [documents, redis] = await Promise.all([
    databases(),
    given === undefined || given === '' ? startRedis() : { url: given, stop: async () => {} },
  ])
  return { documents, redis }
}

/** Ends the shared servers; the next caller starts others. */
export async function endSharedServers(): Promise<void> {
  const ending = shared
  shared = null
  const started = await ending
  await Promise.all([started?.documents.end(), started?.redis.stop()])
}

/** The same stores, with another URL of one of the servers. */
export const withServers = (storeUrls: ServerUrls, changed: Partial<StoreServers>): ServerUrls => ({
  ...storeUrls,
  servers: { ...storeUrls.servers, ...changed },
})

/** The store URLs as environment variables of a server process. */
export function environmentOf({ servers, redisPrefix }: StoreUrls): Record<string, string> {
  return {
    EVENTSTORE_URL: servers?.eventStoreUrl ?? '',
    MONGODB_URL: servers?.mongoUrl ?? '',
    REDIS_URL: servers?.redisUrl ?? '',
    REDIS_PREFIX: redisPrefix,
  }
}
