// Opens and closes the stores in MongoDB together, over one connection. Whatever the URL says, every wait has a limit,
// every write is acknowledged by a majority and journaled, and reads go to the primary.

import {
  type Db,
  MongoBulkWriteError,
  MongoClient,
  MongoClientClosedError,
  type MongoClientOptions,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
  ReadConcern,
} from 'mongodb'
import { StoreUnavailable } from '../contract/faults.ts'
import type { VaultStore } from '../contract/vault.ts'
import type { Views } from '../contract/views.ts'
import { type Address, addressOf, checkServer, faultOf, malformed, type Server } from './check.ts'
import { openVault } from './vault.ts'
import { openViews } from './views.ts'

export interface MongoStores {
  readonly views: Views
  readonly vault: VaultStore
  readonly server: Server
  /** Closes the shared connection, as closing any one of the stores does. */
  close(): Promise<void>
}

/** Throws a StoresFault, without secrets, if the server is not suitable. */
export async function openMongo(options: MongoOptions): Promise<MongoStores> {
  const { db, server, shown, close } = await connect(options)
  return {
    views: reportingUnavailable({ ...openViews(db, server), close }, shown),
    vault: reportingUnavailable({ ...openVault(db, server), close }, shown),
    server,
    close,
  }
}

/** Checks whether the server can be used and returns its version; throws as `openMongo` does. */
export async function checkMongo(options: MongoOptions): Promise<Server> {
  const { server, close } = await connect(options)
  await close()
  return server
}

const UNAVAILABLE = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoWriteConcernError,
]

/** Time limit, write concern not met in time, shutdown, primary stepped down or unknown, interrupted. */
const UNAVAILABLE_CODES: readonly unknown[] = [50, 64, 91, 189, 262, 10_107, 11_600, 11_602, 13_435, 13_436]

/**
 * The same store, rejecting with StoreUnavailable if the server cannot be reached, does not answer in time, or is
 * losing its primary. Other errors are bugs and pass through. `shown`: its address without secrets.
 */
function reportingUnavailable<Store extends object>(store: Store, shown: string): Store {
  const calls = Object.entries(store).map(([name, call]: [string, (...args: unknown[]) => Promise<unknown>]) => [
    name,
    (...args: unknown[]) =>
      call(...args).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
        throw new StoreUnavailable(`The MongoDB at ${shown} cannot be used now: ${error.message}`, error)
      }),
  ])
  return Object.fromEntries(calls) as Store
}

/** Their classes are not exported. */
const UNAVAILABLE_NAMES = /^Mongo(WaitQueueTimeout|PoolCleared|PoolClosed)/

function isUnavailable(error: unknown): error is Error {
  if (UNAVAILABLE.some((kind) => error instanceof kind)) return true
  if (error instanceof Error && UNAVAILABLE_NAMES.test(error.name)) return true
  // A bulk write that the network interrupted has no server error code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true
  return error instanceof MongoServerError && UNAVAILABLE_CODES.includes(error.code)
}

export interface MongoOptions {
  /** MONGODB_URL. Its path names the database; without one it is `scorebook`. */
  readonly url: string
  /** Production requires a replica set, which cannot lose an acknowledged write. */
  readonly production?: boolean
  /** Milliseconds to wait for an answer; default 10,000. See `waits`. */
  readonly answerMs?: number
}

interface Connection {
  readonly db: Db
  readonly server: Server
  /** The address without secrets. */
  readonly shown: string
  close(): Promise<void>
}

const ANSWER_MS = 10_000

/**
 * Connects and checks the server. Throws a StoresFault, without secrets, for problems that the operator must fix.
 * Afterwards the driver reconnects by itself.
 */
async function connect({ url, production = false, answerMs = ANSWER_MS }: MongoOptions): Promise<Connection> {
  const address = addressOf(url)
  const client = clientOf(url, answerMs)
  try {
    await client.connect()
    const server = await checkServer(client.db(address.database), address, { production, answerMs })
    return { db: databaseOf(client, address, server), server, shown: address.shown, close: () => client.close() }
  } catch (failure) {
    await client.close().catch(() => {})
    throw faultOf(failure, address)
  }
}

function clientOf(url: string, answerMs: number): MongoClient {
  try {
    return new MongoClient(url, { ...waits(answerMs), ...DURABLE, appName: 'scorebook' })
  } catch {
    throw malformed()
  }
}

/**
 * At worst an answer takes the time for a pool connection, server selection and the answer, twice if the driver
 * retries. (The driver's own `timeoutMS` has no effect from 7.9 on.)
 */
function waits(answerMs: number): MongoClientOptions {
  const half = Math.ceil(answerMs / 2)
  return {
    socketTimeoutMS: answerMs,
    connectTimeoutMS: half,
    serverSelectionTimeoutMS: half,
    waitQueueTimeoutMS: half,
  }
}

const DURABLE: MongoClientOptions = {
  readPreference: 'primary',
  retryReads: true,
  // Used if the server supports them. All our writes are idempotent anyway.
  retryWrites: true,
  // The store contains text, numbers and bytes, never code.
  serializeFunctions: false,
}

function databaseOf(client: MongoClient, { database }: Address, { isReplicated, answerMs }: Server): Db {
  return client.db(database, {
    // A missing majority is reported before the socket timeout closes the connection.
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: Math.ceil(answerMs * 0.8) },
    // Do not read data that a failover could roll back, especially checkpoints. A single server does not support this
    // level.
    ...(isReplicated ? { readConcern: new ReadConcern('majority') } : {}),
  })
}
