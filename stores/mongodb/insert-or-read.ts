// Inserts a row that must be unique. If several processes do so concurrently, all get the row that was inserted first.

import { type Collection, type Document, MongoServerError, type OptionalUnlessRequiredId } from 'mongodb'
import type { CallTimeout } from './call-timeout.ts'
import { DUPLICATE_KEY } from './check.ts'

const ATTEMPTS = 100
const PAUSE_MS = 50

/** True if the row was inserted; false if its id exists. */
export async function insertNew<Row extends Document>(
  rows: Collection<Row>,
  withCallTimeout: CallTimeout,
  row: OptionalUnlessRequiredId<Row>,
): Promise<boolean> {
  try {
    await withCallTimeout(rows.insertOne(row))
    return true
  } catch (failure) {
    if (failure instanceof MongoServerError && failure.code === DUPLICATE_KEY) return false
    throw failure
  }
}

/**
 * Returns `fresh` if `insert` inserted it, otherwise the row that `read` finds. Retries for 5 s while there is neither,
 * because the first row was removed again or no majority has it yet. Then throws an error that begins with `what`.
 */
export async function insertOrRead<Found>(
  what: string,
  fresh: Found,
  insert: () => Promise<boolean>,
  read: () => Promise<Found | null>,
): Promise<Found> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await insert()) return fresh
    const present = await read()
    if (present !== null) return present
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`${what} is there and cannot be read: no majority of MongoDB has acknowledged it`)
}
