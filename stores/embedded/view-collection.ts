// One collection: queries by index, scans and writes. `view-documents.ts` reads documents by id.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { DocumentValues } from '../contract/rankings.ts'
import type { Document, Find, Write } from '../contract/views.ts'
import { isPlain } from '../support/storable.ts'
import { type MemoryIndexes, openMemoryIndexes } from './memory-indexes.ts'
import { prepareRows } from './prepare-rows.ts'
import type { RankIndex } from './rank-index.ts'
import { openRowCodec, type RowCodec } from './row-codec.ts'
import { openRowValues, rowsInOrder } from './row-values.ts'
import { decodePosition } from './stored-values.ts'
import { type DocumentCaches, openDocuments } from './view-documents.ts'
import { lengthOf, openRows, type ReadyWrite } from './view-rows.ts'
import { boundValues, findTexts, statementKey } from './views-query.ts'
import { type AddText, checkIndexed, isInMemory, joinedRows, rowText, type Table } from './views-schema.ts'

export interface ViewCollection {
  readonly table: Table
  get(id: string): Document | null
  /** In the order of the ids. */
  getAll(ids: readonly string[]): (Document | null)[]
  find(find: Find): Document[]
  /** Values of fields of the documents in these rows, as `RankedPage.values`. */
  valuesInRows(fields: readonly string[], rows: readonly number[]): DocumentValues[]
  /** The index by rank; null if none is declared, or it is not made yet. */
  rankIndex(): RankIndex | null
  /** Makes the indexes in memory that are declared and not made yet. Reads the whole table, and yields in between. */
  makeMemoryIndexes(): Promise<void>
  count(find: Find): number
  /** Whether a query can use this index now. Also true for an undeclared index: the query throws. */
  hasIndex(index: string): boolean
  /** Creates this index in the file; null: all missing ones. */
  makeIndexes(index: string | null): void
  scan(afterId: string | null, limit: number): Document[]
  /** A key that orders writes by the first index, so that new rows that are read together share pages. */
  writeOrderOf(write: Write): string
  /** Throws a TypeError if the write is invalid. May add a shape or terms: call it outside of transactions. */
  ready(write: Write): ReadyWrite
  /** Writes inside the caller's transaction. Null if the write is skipped. */
  write(ready: ReadyWrite): Written | null
}

export interface Written {
  /** Characters of the row. */
  readonly length: number
  /** Updates the cache and the indexes in memory after the write has succeeded; its transaction may still be open. */
  remember(): void
}

interface Finder {
  readonly documents: StatementSyncInstance
  readonly count: StatementSyncInstance
}

interface CollectionOptions {
  /** Reports that a row cannot be what was written. Returns the error to throw. */
  readonly unreadable: (cause?: unknown) => Error
  readonly caches: DocumentCaches
  readonly addText: AddText
}

export function openCollection(db: DatabaseSyncInstance, table: Table, options: CollectionOptions): ViewCollection {
  const { caches, unreadable } = options
  const codec = openRowCodec(db, table, options.addText)
  const documents = openDocuments(db, table, { caches, codec, unreadable })
  const inRows = openRowReads(db, table, documents.parse)
  const scan = openScan(db, table, codec, unreadable)
  const writeRow = openRows(db, table)
  const finderOf = createFinders(db, table)
  const inMemory = openMemoryIndexes(db, table, { codec: codec.columns, inRows, unreadable })
  const indexes = createIndexes(db, table, inMemory)

  function find(query: Find): Document[] {
    const found = inMemory?.find(query)
    if (found != null) return found
    const bound = [...boundValues(table, codec.columns, query), query.limit, query.skip ?? 0]
    const [joined]: readonly [string | null] = finderOf(query).documents.get(...bound)
    return documents.parse(joined)
  }

  function write(ready: ReadyWrite): Written | null {
    const { id, pos, body } = ready
    const written = writeRow(ready, documents.rowOf(id))
    if (written === null) return null
    const length = lengthOf(ready)
    const { change } = written
    const remember = () => {
      if (change !== null) inMemory?.change(change)
      if (body === null) documents.forget(id)
      else documents.remember({ id, pos, body }, length, change && { row: change.row, pos, values: change.after })
    }
    return { length, remember }
  }

  return {
    table,
    get: documents.get,
    getAll: documents.getAll,
    find,
    valuesInRows: openRowValues(db, table, { codec, unreadable }),
    count: (query) => {
      const counted = inMemory?.count(query)
      if (counted != null) return counted
      const [count]: readonly [number] = finderOf(query).count.get(
        ...boundValues(table, codec.columns, query),
        query.limit,
      )
      return count
    },
    writeOrderOf: writeOrders(table),
    ...indexes,
    scan: (afterId, limit) => scan(afterId ?? '', limit),
    ready: (one) => {
      checkId(one.id)
      checkIndexed(table, one.body)
      inMemory?.check(one.body)
      return codec.encode(one)
    },
    write,
  }
}

function writeOrders({ indexes }: Table): ViewCollection['writeOrderOf'] {
  const [first = { columns: [] }] = indexes.values()
  return ({ id, body }) => [...first.columns.map(({ field }) => body?.[field] ?? ''), id].join(' ')
}

/**
 * Reads the documents in rows of a table with an index by rank, in the order of the rows. `parse`: as of
 * `openDocuments`.
 */
function openRowReads(
  db: DatabaseSyncInstance,
  table: Table,
  parse: (joined: string | null) => Document[],
): (rows: readonly number[]) => Document[] {
  if (table.ranking === null) return () => []
  const joined = prepareRows(db, joinedRows(rowText(table), rowsInOrder(table)))
  return (rows) => {
    if (rows.length === 0) return []
    const [text]: readonly [string | null] = joined.get(JSON.stringify(rows))
    return parse(text)
  }
}

/** Prepares the statements of queries with equal SQL once. */
function createFinders(db: DatabaseSyncInstance, table: Table): (query: Find) => Finder {
  const finders = new Map<string, Finder>()
  return (query) => {
    const key = statementKey(query)
    const known = finders.get(key)
    if (known !== undefined) return known
    const { documents, count } = findTexts(table, query)
    const finder = { documents: prepareRows(db, documents), count: prepareRows(db, count) }
    finders.set(key, finder)
    return finder
  }
}

function checkId(id: string): void {
  if (!isPlain(id)) throw new TypeError(`An id must be printable ASCII: ${JSON.stringify(id)}`)
}

function createIndexes(
  db: DatabaseSyncInstance,
  table: Table,
  inMemory: MemoryIndexes | null,
): Pick<ViewCollection, 'hasIndex' | 'makeIndexes' | 'rankIndex' | 'makeMemoryIndexes'> {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?")
  const inFile = [...table.indexes].filter(([index]) => !isInMemory(table, index))
  const missing = new Map(inFile.filter(([, { name }]) => isThere.get(name) === undefined))

  function makeIndexes(only: string | null): void {
    for (const [index, { make }] of missing) {
      if (only !== null && index !== only) continue
      db.exec(make)
      missing.delete(index)
    }
  }

  return {
    hasIndex: (index) => (isInMemory(table, index) ? inMemory?.made() !== null : !missing.has(index)),
    makeIndexes,
    rankIndex: () => inMemory?.made()?.rank ?? null,
    makeMemoryIndexes: async () => inMemory?.make(),
  }
}

// Reads the rows of a collection by id, for verification. The result also reports documents that cannot be read.

type Row = readonly [text: string, id: string, pos: string | number, document: string]

/** A page of documents by id, after one id, at most `limit`, without deleted ones. */
type ScanRows = (afterId: string, limit: number) => Document[]

/**
 * `unreadable`: reports that the index of the ids is not in their order, and returns the error to throw. A caller would
 * scan for ever.
 */
function openScan(
  db: DatabaseSyncInstance,
  table: Table,
  codec: RowCodec,
  unreadable: (cause?: unknown) => Error,
): ScanRows {
  const page = `FROM ${table.name} WHERE id > ? AND document IS NOT NULL ORDER BY id LIMIT ?`
  const joinedPage = prepareRows(db, joinedRows(rowText(table), page))
  const rows = prepareRows(db, `SELECT ${rowText(table)}, id, pos, document ${page}`)

  function decodeAlone([text, id, pos, document]: Row): Document {
    try {
      const [own] = codec.decode(text)
      if (own !== undefined) return own
    } catch {}
    return { id, pos: decodePosition(pos), body: { unreadable: document } }
  }

  function decode(joined: string, afterId: string, limit: number): Document[] {
    try {
      return codec.decode(joined)
    } catch {
      const each: Row[] = rows.all(afterId, limit)
      return each.map(decodeAlone)
    }
  }

  return (afterId, limit) => {
    const [joined]: readonly [string | null] = joinedPage.get(afterId, limit)
    if (joined === null) return []
    const documents = decode(joined, afterId, limit)
    let last = afterId
    for (const { id } of documents) {
      if (id <= last) throw unreadable()
      last = id
    }
    return documents
  }
}
