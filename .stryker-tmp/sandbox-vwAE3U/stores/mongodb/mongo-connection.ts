// The connection to MongoDB. Whatever the URL says, every wait has a limit, every write is acknowledged by a majority
// and journaled, and reads go to the primary.

import { type Db, MongoClient, type MongoClientOptions, ReadConcern } from 'mongodb'
import { type Address, addressOf, malformed } from './address.ts'
import { checkServer, faultOf, type Server } from './check.ts'

export interface MongoOptions {
  /** MONGODB_URL. Its path names the database; without one it is `scorebook`. */
  readonly url: string
  /** In production a server that cannot lose an acknowledged write is required: a replica set. */
  readonly production?: boolean
  /** Milliseconds to wait for an answer; default 10,000. See `waits`. */
  readonly answerMs?: number
}

interface Connection {
  readonly db: Db
  readonly server: Server
  /** Its address without secrets. */
  readonly shown: string
  close(): Promise<void>
}

const ANSWER_MS = 10_000

/**
 * Connects and checks the server. Throws a StoresFault, without secrets, for problems that the operator must fix. Afterwards
 * the driver reconnects by itself.
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
 * At worst an answer takes as long as: a place in the pool, a server to be found, the answer; and, where the driver may
 * ask again, once more. (The driver's own `timeoutMS` has no effect from 7.9 on.)
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
  // Used where the server has them; every write of ours may also simply be sent again.
  retryWrites: true,
  // The store holds plain text, numbers and bytes; nothing is ever taken for code.
  serializeFunctions: false,
}

function databaseOf(client: MongoClient, { database }: Address, { isReplicated, answerMs }: Server): Db {
  return client.db(database, {
    // A missing majority is reported before the socket timeout closes the connection.
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: Math.ceil(answerMs * 0.8) },
    // What a failover could still take back must not be read: a checkpoint least of all. One
    // server alone knows no such level.
    ...(isReplicated ? { readConcern: new ReadConcern('majority') } : {}),
  })
}
