// The connection to MongoDB. Whatever the URL says, every wait has a limit, every write is acknowledged by a majority
// and journaled, and reads go to the primary.

import { type Db, MongoClient, type MongoClientOptions, ReadConcern } from 'mongodb'
import { type Address, addressOf, malformed } from './address.ts'
import { checkServer, faultOf, type Server } from './check.ts'

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
export async function connect({ url, production = false, answerMs = ANSWER_MS }: MongoOptions): Promise<Connection> {
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
