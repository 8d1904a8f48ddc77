// Writes many rows in one command, of which some may have ids that exist already.

import { type AnyBulkWriteOperation, type Collection, type Document, MongoBulkWriteError } from 'mongodb'
import type { CallTimeout } from './call-timeout.ts'
import { DUPLICATE_KEY } from './check.ts'

/** Resolves when a majority has the rows, to those of them whose ids existed already and that were not inserted. */
export async function insertRows<Row extends Document>(
  collection: Collection<Row>,
  rows: readonly Row[],
  withCallTimeout: CallTimeout,
): Promise<ReadonlySet<Row>> {
  const operations = rows.map((row) => ({ insertOne: { document: row } }))
  const { taken } = await bulk(collection, operations as AnyBulkWriteOperation<Row>[], withCallTimeout)
  return new Set(taken.flatMap((row) => rows[row] ?? []))
}

interface Outcome {
  /** The number of rows that were certainly written. */
  readonly settled: number
  /** Indexes of the rows with duplicate ids. */
  readonly taken: readonly number[]
}

/** Rejects for any error except duplicate ids, especially if no majority acknowledged the write. */
export async function bulk<Row extends Document>(
  collection: Collection<Row>,
  operations: AnyBulkWriteOperation<Row>[],
  withCallTimeout: CallTimeout,
): Promise<Outcome> {
  try {
    const { insertedCount, matchedCount, upsertedCount } = await withCallTimeout(
      collection.bulkWrite(operations, { ordered: false }),
    )
    return { settled: insertedCount + matchedCount + upsertedCount, taken: [] }
  } catch (failure) {
    if (!(failure instanceof MongoBulkWriteError)) throw failure
    const errors = [failure.writeErrors].flat()
    const isOnlyTaken = errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY)
    if (!isOnlyTaken || failure.result.getWriteConcernError() !== undefined) throw failure
    const { insertedCount, matchedCount, upsertedCount } = failure
    return { settled: insertedCount + matchedCount + upsertedCount, taken: errors.map(({ index }) => index) }
  }
}
