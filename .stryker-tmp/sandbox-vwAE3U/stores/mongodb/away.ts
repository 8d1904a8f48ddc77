// Maps driver errors to StoreUnavailable: the server cannot be reached, does not answer in time, or is losing its primary.
// Other errors are bugs and pass through.

import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb'
import { StoreUnavailable } from '../contract/faults.ts'

const AWAY = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoWriteConcernError,
]

/** Time limit, write concern not met in time, shutdown, primary stepped down or unknown, interrupted. */
const AWAY_CODES: readonly unknown[] = [50, 64, 91, 189, 262, 10_107, 11_600, 11_602, 13_435, 13_436]

/** The same store, rejecting with StoreUnavailable where MongoDB is away. `shown` is its address without secrets. */
export function reportingUnavailable<Store extends object>(store: Store, shown: string): Store {
  const calls = Object.entries(store).map(([name, call]: [string, (...args: unknown[]) => Promise<unknown>]) => [
    name,
    (...args: unknown[]) =>
      call(...args).catch((why: unknown) => {
        if (!isUnavailable(why)) throw why
        throw new StoreUnavailable(`The MongoDB at ${shown} cannot be used now: ${why.message}`, why)
      }),
  ])
  return Object.fromEntries(calls) as Store
}

/** Those that the driver has no exported class for. */
const AWAY_NAMES = /^Mongo(WaitQueueTimeout|PoolCleared|PoolClosed)/

function isUnavailable(why: unknown): why is Error {
  if (AWAY.some((kind) => why instanceof kind)) return true
  if (why instanceof Error && AWAY_NAMES.test(why.name)) return true
  // Part of a bulk that the network broke off: no server has given it a code.
  if (why instanceof MongoBulkWriteError && why.code === undefined) return true
  return why instanceof MongoServerError && AWAY_CODES.includes(why.code)
}
