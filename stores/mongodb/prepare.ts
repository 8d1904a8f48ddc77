// Creates what a view needs: its collections and indexes, and, if the indexes changed, the fields that they cover.

import { type Collection, type Db, MongoServerError } from 'mongodb'
import type { CollectionSpec, ViewSpec } from '../contract/views.ts'
import { type Column, checkSpec, documentOf, type Row, rowOf, type Table, tableOf } from './document-rows.ts'
import { type Register, registered } from './register.ts'
import type { Entry } from './register-entry.ts'

const NAMESPACE_EXISTS = 48
const NOT_IMPLEMENTED = 238
const ROWS_AT_ONCE = 1_000

/** Creating an index over many documents takes longer than any other call. */
const BUILD_MS = 3_600_000

/** Idempotent after a crash at any point, and safe for several processes with equal declarations. */
export async function prepareView(db: Db, register: Register, view: ViewSpec): Promise<Entry> {
  for (const collection of view.collections) checkSpec(view.key, collection)
  let entry = await register.enter(view)
  for (const spec of view.collections) entry = await prepareCollection(db, register, entry, spec)
  return entry
}

async function prepareCollection(db: Db, register: Register, entry: Entry, spec: CollectionSpec): Promise<Entry> {
  const rows = register.rows(entry, spec.name)
  const table = tableOf(spec.indexes)
  const wanted = registered(spec)
  const present = entry.collections.find(({ name }) => name === spec.name)?.indexes
  await created(db, rows)
  let noted = entry
  if (present !== undefined && present !== wanted.indexes) {
    // First record that the rows match neither set of indexes, so that they are rewritten after a crash.
    noted = await register.note(noted, { name: spec.name, indexes: '' })
    await rewriteRows(rows, table)
  }
  await makeIndexes(rows, table)
  return present === wanted.indexes ? noted : register.note(noted, wanted)
}

async function created(db: Db, rows: Collection<Row>): Promise<void> {
  try {
    await db.createCollection(rows.collectionName)
  } catch (failure) {
    if (!(failure instanceof MongoServerError && failure.code === NAMESPACE_EXISTS)) throw failure
  }
}

/** Rewrites every row with the fields of these indexes. Rows that are changed meanwhile are skipped. */
async function rewriteRows(rows: Collection<Row>, table: Table): Promise<void> {
  for (let last = ''; ; ) {
    const page = await rows
      .find({ _id: { $gt: last } })
      .sort({ _id: 1 })
      .limit(ROWS_AT_ONCE)
      .toArray()
    const documents = page.flatMap((row) => documentOf(row) ?? [])
    const operations = documents.map((document) => {
      const { _id, ...replacement } = rowOf(table, document)
      return { replaceOne: { filter: { _id, pos: document.pos }, replacement } }
    })
    if (operations.length > 0) await rows.bulkWrite(operations, { ordered: false })
    if (page.length < ROWS_AT_ONCE) return
    last = page.at(-1)?._id ?? ''
  }
}

async function makeIndexes(rows: Collection<Row>, { indexes }: Table): Promise<void> {
  // Create equal indexes once: MongoDB rejects a second one of the same fields.
  const wanted = new Map([...indexes.values()].map((columns) => [indexName(columns), columns]))
  for (const [name, columns] of wanted) await makeIndex(rows, name, columns)
  for (const { name } of await rows.indexes()) {
    if (name !== undefined && name !== '_id_' && !wanted.has(name)) await rows.dropIndex(name)
  }
}

/**
 * A partial index of the documents that have its first field. FerretDB has no partial indexes, and sorts without them.
 */
async function makeIndex(rows: Collection<Row>, name: string, columns: readonly Column[]): Promise<void> {
  const key = Object.fromEntries([...columns.map((column) => [column.name, column.descending ? -1 : 1]), ['_id', 1]])
  const options = { name, socketTimeoutMS: BUILD_MS }
  const partialFilterExpression = Object.fromEntries(
    columns.slice(0, 1).map((first) => [first.name, { $exists: true }]),
  )
  try {
    await rows.createIndex(key, { ...options, partialFilterExpression })
  } catch (failure) {
    if (!(failure instanceof MongoServerError && failure.code === NOT_IMPLEMENTED)) throw failure
    await rows.createIndex(key, options)
  }
}

function indexName(columns: readonly Column[]): string {
  return columns.map(({ field, descending }) => (descending ? `-${field}` : field)).join(',')
}
