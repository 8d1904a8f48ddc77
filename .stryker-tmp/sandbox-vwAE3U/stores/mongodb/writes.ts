// Writes rows so that of two writes for one id the newer one wins, in any order and with concurrent writers.

import { type AnyBulkWriteOperation, type Collection, MongoBulkWriteError } from 'mongodb'
import { DUPLICATE_KEY } from './check.ts'
import type { Row } from './document-rows.ts'
import type { Patience } from './patience.ts'

/** Rows of one command: each waits for a majority once, and must be answered well before a connection is given up. */
const AT_ONCE = 1_000

const NONE: ReadonlySet<string> = new Set()

/** Of several rows for one id only the newest: within one command MongoDB promises no order. */
export function newestOf(rows: Iterable<Row>): Row[] {
  const newest = new Map<string, Row>()
  for (const row of rows) {
    const present = newest.get(row._id)
    if (present === undefined || row.pos > present.pos) newest.set(row._id, row)
  }
  return [...newest.values()]
}

/**
 * Writes rows of different ids. Resolves when a majority has them, or newer ones. `news`: ids that are thought to be free; their
 * rows are inserted, which spares the server looking for each, and the driver half of what it says.
 */
export async function writeRows(
  collection: Collection<Row>,
  rows: readonly Row[],
  inTime: Patience,
  news: ReadonlySet<string> = NONE,
): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE)
    const made = some.filter(({ _id }) => news.has(_id))
    const others = made.length === 0 ? some : some.filter(({ _id }) => !news.has(_id))
    const unsettled: Row[] = []
    if (made.length > 0) unsettled.push(...(await insert(collection, made, inTime)))
    if (others.length > 0) unsettled.push(...(await upsert(collection, others, inTime)))
    if (unsettled.length > 0) await replace(collection, unsettled, inTime)
  }
}

/** Answers those whose id was taken. */
async function insert(collection: Collection<Row>, rows: readonly Row[], inTime: Patience): Promise<Row[]> {
  const operations = rows.map((row) => ({ insertOne: { document: row } }))
  const { taken } = await bulk(collection, operations, inTime)
  return taken.flatMap((place) => rows[place] ?? [])
}

/**
 * Writes each row where there is none or an older one, and answers those of which it is not known whether they were
 * written. The id being taken means mostly that what stands there is not older; but also where an older row was inserted
 * just then by another writer, for MongoDB looks first and inserts afterwards.
 */
async function upsert(collection: Collection<Row>, rows: readonly Row[], inTime: Patience): Promise<Row[]> {
  const outcome = await bulk(
    collection,
    rows.map((row) => replacement(row, true)),
    inTime,
  )
  if (outcome.settled + outcome.taken.length === rows.length) return outcome.taken.flatMap((place) => rows[place] ?? [])
  // The server stopped at the first id that was taken (FerretDB does). So insert what is not there: then all ids are.
  return insert(collection, rows, inTime)
}

/** Settles rows whose ids are all taken, and stay so: the marker of a deleted document keeps its id. */
async function replace(collection: Collection<Row>, rows: readonly Row[], inTime: Patience): Promise<void> {
  await bulk(
    collection,
    rows.map((row) => replacement(row, false)),
    inTime,
  )
}

function replacement({ _id, ...rest }: Row, upsert: boolean): AnyBulkWriteOperation<Row> {
  return { replaceOne: { filter: { _id, pos: { $lt: rest.pos } }, replacement: rest, upsert } }
}

interface Outcome {
  /** How many were written, for certain. */
  readonly settled: number
  /** Places of those whose id was taken. */
  readonly taken: readonly number[]
}

/** Rejects for anything but an id that is taken; above all where no majority has acknowledged what was written. */
async function bulk(
  collection: Collection<Row>,
  operations: AnyBulkWriteOperation<Row>[],
  inTime: Patience,
): Promise<Outcome> {
  try {
    const { insertedCount, matchedCount, upsertedCount } = await inTime(
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
