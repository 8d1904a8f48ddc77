// Commits batches: first the documents, then the checkpoints, with counts of the commits that changed documents.

import type { AnyBulkWriteOperation, Collection } from 'mongodb'
import type { Batch, Views } from '../contract/views.ts'
import type { CallTimeout } from './call-timeout.ts'
import { type Row, rowOf } from './document-rows.ts'
import { bulk, insertRows } from './insert-rows.ts'
import { collectionIn, type OpenView, type OpenViews } from './open-views.ts'
import type { Reached, Register } from './register.ts'

interface Given {
  readonly view: string
  readonly all: Row[]
  readonly news: Set<string>
}

/**
 * Rejects before any write if a view or collection of any batch is missing. A change is counted with the checkpoint
 * that covers it: with its own batch, or with the view's next one that has checkpoints. If the process ends before, its
 * successor finds the documents ahead of their events, and counts them as `repeats`.
 */
export function createCommit(register: Register, opened: OpenViews, withCallTimeout: CallTimeout): Views['commit'] {
  /** Views with changes that are not counted. */
  const uncounted = new Set<string>()

  return async (batches) => {
    const views = await Promise.all(batches.map(({ view }) => opened.get(view)))
    const given = rowsOf(batches, views)
    const touched = new Set([...given.values()].map(({ view }) => view))
    const changed = new Set<string>()
    const noteUncounted = (keys: Iterable<string>) => {
      for (const key of keys) uncounted.add(key)
    }
    const written = await Promise.allSettled(
      [...given].map(async ([rows, { view, all, news }]) => {
        if (await writeRows(rows, newestOf(all), withCallTimeout, news)) changed.add(view)
      }),
    )
    for (const one of written) {
      if (one.status === 'fulfilled') continue
      noteUncounted(touched)
      throw one.reason
    }
    const reached = batches.flatMap(({ view, checkpoints, repeats }, index): Reached[] => {
      const open = views[index]
      if (open === undefined) return []
      if (checkpoints.size === 0 && (repeats === true || changed.has(view))) uncounted.add(view)
      const isAnywhere = repeats === true || uncounted.has(view)
      return [{ view: open, checkpoints, changed: isAnywhere ? 'anywhere' : changed.has(view) ? 'here' : 'nowhere' }]
    })
    const counting = reached.filter((one) => one.changed !== 'nowhere' && one.checkpoints.size > 0)
    try {
      await register.reach(reached)
    } catch (failure) {
      noteUncounted(counting.map(({ view }) => view._id))
      throw failure
    } finally {
      for (const { view } of counting) register.progress.forget(view._id)
    }
    for (const { view } of counting) uncounted.delete(view._id)
  }
}

function rowsOf(batches: readonly Batch[], views: readonly OpenView[]): Map<Collection<Row>, Given> {
  const given = new Map<Collection<Row>, Given>()
  for (const [index, { view, writes }] of batches.entries()) {
    for (const write of writes) {
      const { rows, table } = collectionIn(views[index], write.collection)
      const own: Given = given.get(rows) ?? { view, all: [], news: new Set() }
      if (own.all.length === 0) given.set(rows, own)
      own.all.push(rowOf(table, write))
      if (write.isNew === true && write.body !== null) own.news.add(write.id)
    }
  }
  return given
}

// Writes rows so that of two writes for one id the newer one wins, in any order and with concurrent writers.

/** Rows per command. Each command waits for a majority once, and must be answered well before the socket timeout. */
const BATCH_SIZE = 1_000

const NONE: ReadonlySet<string> = new Set()

/** Keeps only the newest row per id, because MongoDB does not guarantee an order within one command. */
function newestOf(rows: Iterable<Row>): Row[] {
  const newest = new Map<string, Row>()
  for (const row of rows) {
    const present = newest.get(row._id)
    if (present === undefined || row.pos > present.pos) newest.set(row._id, row)
  }
  return [...newest.values()]
}

/**
 * Writes rows of different ids. Resolves when a majority has them, or newer ones, to whether any of them may have
 * replaced another. `news`: ids that are probably free. Their rows are inserted, which saves the server a query per row
 * and the driver half of the message.
 */
export async function writeRows(
  collection: Collection<Row>,
  rows: readonly Row[],
  withCallTimeout: CallTimeout,
  news: ReadonlySet<string> = NONE,
): Promise<boolean> {
  let haveReplaced = false
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    const some = rows.slice(at, at + BATCH_SIZE)
    const made = some.filter(({ _id }) => news.has(_id))
    const others = made.length === 0 ? some : some.filter(({ _id }) => !news.has(_id))
    const unsettled: Row[] = []
    if (made.length > 0) unsettled.push(...(await insertRows(collection, made, withCallTimeout)))
    if (others.length > 0) unsettled.push(...(await upsert(collection, others, withCallTimeout)))
    if (unsettled.length > 0) await replace(collection, unsettled, withCallTimeout)
    haveReplaced ||= others.length > 0 || unsettled.length > 0
  }
  return haveReplaced
}

/**
 * Upserts each row unless a newer one exists, and returns the rows whose outcome is unknown. A duplicate id usually
 * means that the stored row is not older. It can also mean that another writer inserted an older row concurrently,
 * because MongoDB queries first and inserts afterwards.
 */
async function upsert(collection: Collection<Row>, rows: readonly Row[], withCallTimeout: CallTimeout): Promise<Row[]> {
  const outcome = await bulk(
    collection,
    rows.map((row) => replacement(row, true)),
    withCallTimeout,
  )
  if (outcome.settled + outcome.taken.length === rows.length) return outcome.taken.flatMap((row) => rows[row] ?? [])
  // The server stopped at the first duplicate id (FerretDB does). Insert the missing rows, so that all ids exist.
  return [...(await insertRows(collection, rows, withCallTimeout))]
}

/** Updates rows whose ids all exist. They remain, because the marker of a deleted document keeps its id. */
async function replace(collection: Collection<Row>, rows: readonly Row[], withCallTimeout: CallTimeout): Promise<void> {
  await bulk(
    collection,
    rows.map((row) => replacement(row, false)),
    withCallTimeout,
  )
}

function replacement({ _id, ...rest }: Row, upsert: boolean): AnyBulkWriteOperation<Row> {
  return { replaceOne: { filter: { _id, pos: { $lt: rest.pos } }, replacement: rest, upsert } }
}
