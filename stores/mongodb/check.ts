// Checks a MongoDB before anything is written to it, and explains to the operator what is missing.

import {
  type Db,
  MongoCompatibilityError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb'
import { StoresFault } from '../contract/faults.ts'

/** The first version with snapshot reads outside a transaction. */
const OLDEST = '5.0'
const OLDEST_WIRE_VERSION = 13

export interface Server {
  /** The version that the server reports. */
  readonly version: string
  /** A replica set or sharded cluster, which has majorities and snapshots. */
  readonly isReplicated: boolean
  readonly answerMs: number
}

interface Demands {
  readonly production: boolean
  readonly answerMs: number
}

/** Throws a StoresFault if the server is too old, has no majority, or in production is not a replica set. */
export async function checkServer(db: Db, { shown }: Address, { production, answerMs }: Demands): Promise<Server> {
  const hello = await db.command({ hello: 1 })
  const { version } = await db.command({ buildInfo: 1 })
  if (Number(hello.maxWireVersion) < OLDEST_WIRE_VERSION) throw tooOld(shown, String(version))
  const isReplicated = hello.setName !== undefined || hello.msg === 'isdbgrid'
  if (production && !isReplicated) {
    throw new StoresFault(
      `The MongoDB at ${shown} is a single server, which can lose what it acknowledged: in production make it a replica ` +
        'set (mongod --replSet, then rs.initiate()), of three members for choice',
    )
  }
  await checkMajority(db, shown, answerMs)
  return { version: String(version), isReplicated, answerMs }
}

/** Without a majority writes are never acknowledged, so this is checked before the first one. */
async function checkMajority(db: Db, shown: string, answerMs: number): Promise<void> {
  const writeConcern = { w: 'majority', journal: true, wtimeoutMS: Math.ceil(answerMs * 0.8) } as const
  try {
    await db
      .collection<{ _id: string; at: Date }>('checks')
      .replaceOne({ _id: 'majority' }, { at: new Date() }, { upsert: true, writeConcern })
  } catch (failure) {
    // Two processes that start at once may both insert it.
    if (failure instanceof MongoServerError && failure.code === DUPLICATE_KEY) return
    if (!isNoMajority(failure)) throw failure
    throw new StoresFault(
      `The MongoDB at ${shown} does not acknowledge writes by a majority (${failure.message}): most members of the ` +
        'replica set must be up and hold data',
    )
  }
}

export const DUPLICATE_KEY = 11000

const WRITE_CONCERN_FAILED = 64
const UNSATISFIABLE_WRITE_CONCERN = 100
const NOT_AUTHENTICATED = [18, 8000]
const NOT_ALLOWED = 13

function isNoMajority(failure: unknown): failure is MongoServerError {
  return (
    failure instanceof MongoServerError &&
    (failure.code === WRITE_CONCERN_FAILED || failure.code === UNSATISFIABLE_WRITE_CONCERN)
  )
}

/** Maps a connection failure to a message for the operator; returns unknown failures unchanged. */
export function faultOf(failure: unknown, { shown }: Address): unknown {
  if (failure instanceof MongoCompatibilityError || isIncompatible(failure)) return tooOld(shown, null)
  if (failure instanceof MongoServerError) {
    if (NOT_AUTHENTICATED.includes(Number(failure.code))) {
      return new StoresFault(
        `The MongoDB at ${shown} refuses the name and password of MONGODB_URL (${failure.codeName ?? failure.code}): ` +
          'check them, and authSource if the user is defined in another database',
      )
    }
    if (failure.code === NOT_ALLOWED) {
      return new StoresFault(
        `The MongoDB at ${shown} does not let this user work in the database: log in, or grant the role readWrite on it`,
      )
    }
  }
  if (failure instanceof MongoServerSelectionError || failure instanceof MongoNetworkError) {
    return new StoresFault(
      `The MongoDB at ${shown} cannot be reached (${failure.message}): check MONGODB_URL, that the server runs, and ` +
        'that this machine may connect to it',
    )
  }
  return failure
}

/** The driver reports a server that is too old for it as one that cannot be selected. */
function isIncompatible(failure: unknown): boolean {
  if (!(failure instanceof MongoServerSelectionError)) return false
  const seen = [...(failure.reason?.servers.values() ?? [])]
  return seen.some(({ error }) => error instanceof MongoCompatibilityError)
}

function tooOld(shown: string, version: string | null): StoresFault {
  const is = version === null ? 'is too old' : `is version ${version}`
  return new StoresFault(`The MongoDB at ${shown} ${is}: version ${OLDEST} or newer is needed`)
}

const DEFAULT_DATABASE = 'scorebook'

/** Scheme, hosts without credentials, and database. The rest must not contain `@`: see `addressOf`. */
const ADDRESS = /^(mongodb(?:\+srv)?:\/\/)(?:[^/?@]*@)?([^/?@]+)(?:\/([^?@]*))?(?:\?[^@]*)?$/

export interface Address {
  /** Without user, password and options, for messages. */
  readonly shown: string
  readonly database: string
}

/** The driver reads the rest of MONGODB_URL. Throws a StoresFault, which does not contain it, if it is malformed. */
export function addressOf(url: string): Address {
  const [, scheme, hosts, path = ''] = ADDRESS.exec(url) ?? []
  // If a password contains an unencoded "/" or "?", the user and the start of the password look like a host and port
  // and must not be shown. An "@" then follows later.
  if (scheme === undefined || hosts === undefined) throw malformed()
  const database = path === '' ? DEFAULT_DATABASE : decoded(path)
  if (database.length > 38 || !/^[A-Za-z0-9_-]+$/.test(database)) {
    throw new StoresFault('The database in MONGODB_URL must be named by 1 to 38 letters, digits, "_" and "-"')
  }
  return { shown: `${scheme}${hosts}/${database}`, database }
}

/** Contains nothing of the URL. The driver's own message would repeat it with the password. */
export function malformed(): StoresFault {
  return new StoresFault(
    'MONGODB_URL cannot be read: it must be mongodb://[name:password@]host[:port][,host…][/database][?options], ' +
      'with known options, and with every ":/?#[]@" of a name or password percent-encoded',
  )
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
