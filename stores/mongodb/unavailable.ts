// Maps driver errors to StoreUnavailable: the server cannot be reached, does not answer in time, or is losing its
// primary. Other errors are bugs and pass through.

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

/** The same store, rejecting with StoreUnavailable if MongoDB is unavailable. `shown`: its address without secrets. */
export function reportingUnavailable<Store extends object>(store: Store, shown: string): Store {
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

/** Names of errors whose classes the driver does not export. */
const UNAVAILABLE_NAMES = /^Mongo(WaitQueueTimeout|PoolCleared|PoolClosed)/

function isUnavailable(error: unknown): error is Error {
  if (UNAVAILABLE.some((kind) => error instanceof kind)) return true
  if (error instanceof Error && UNAVAILABLE_NAMES.test(error.name)) return true
  // A bulk write that the network interrupted has no server error code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true
  return error instanceof MongoServerError && UNAVAILABLE_CODES.includes(error.code)
}
