// One collection: queries by index, scans and writes. `view-documents.ts` reads documents by id.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { StoresFault } from '../contract/faults.ts'
import type { Document, Find, Write } from '../contract/views.ts'
import { isPlain } from '../support/storable.ts'
import { type KeepShape, openShapes } from './document-shapes.ts'
import { prepareRows } from './prepare-rows.ts'
import { openDocuments } from './view-documents.ts'
import { lengthOf, openRows, type ReadyWrite, rowOf } from './view-rows.ts'
import { openScan } from './view-scan.ts'
import { boundValues, findTexts, statementKey } from './views-query.ts'
import { checkIndexed, type Table } from './views-schema.ts'

export interface ViewCollection {
  get(id: string): Document | null
  /** In the order of the ids. */
  getAll(ids: readonly string[]): (Document | null)[]
  find(find: Find): Document[]
  count(find: Find): number
  /** Whether a find can use this index now: it exists, or it is not declared and never will. */
  hasIndex(index: string): boolean
  /** Creates this index; null: all missing ones. */
  makeIndexes(index: string | null): void
  scan(afterId: string | null, limit: number): Document[]
  /** A sort key that orders writes by the first index, so that new rows that are read together share pages. */
  sortKeyOf(write: Write): string
  /** Throws a TypeError if the write is invalid. May commit a new shape, so call it outside of transactions. */
  ready(write: Write): ReadyWrite
  /** Writes inside the caller's transaction. Null if the write is skipped. */
  write(ready: ReadyWrite): Written | null
}

/** The effect of a write. */
export interface Written {
  /** Characters of the row. */
  readonly length: number
  /** Updates the cache after the commit. `isOfMany`: part of a bulk write, whose documents are rarely read. */
  remember(isOfMany: boolean): void
}

interface Finder {
  readonly documents: StatementSyncInstance
  readonly count: StatementSyncInstance
}

export interface CollectionOptions {
  /** View, name and file, for error texts. */
  readonly called: string
  /** Maximum characters of parsed documents in the cache, instead of the default. */
  readonly cacheSize?: number | undefined
  readonly keep: KeepShape
}

export function openCollection(db: DatabaseSyncInstance, table: Table, options: CollectionOptions): ViewCollection {
  const damaged = (id: string | null, error: unknown) =>
    new StoresFault(damagedText(options.called, id ?? damagedIn(db, table)), error)
  const shapes = openShapes(db, table, options.keep)
  const documents = openDocuments(db, table, { cacheSize: options.cacheSize, shapes, damaged })
  const scan = openScan(db, table, shapes)
  const writeRow = openRows(db, table)
  const [first = { columns: [] }] = table.indexes.values()
  const finderOf = createFinders(db, table)
  const missing = missingIndexes(db, table)

  function find(query: Find): Document[] {
    const bound = [...boundValues(table, query), query.limit, query.skip ?? 0]
    const { documents: finding } = finderOf(query)
    const [joined]: readonly [string | null] = finding.get(...bound)
    return documents.parse(joined)
  }

  function makeIndexes(index: string | null): void {
    for (const [name, make] of index === null ? missing : [...missing].filter(([one]) => one === index)) {
      db.exec(make)
      missing.delete(name)
    }
  }

  function write(ready: ReadyWrite): Written | null {
    if (!writeRow(ready)) return null
    const { id, pos, body } = ready
    const length = lengthOf(ready)
    if (body === null) return { length, remember: () => documents.forget(id) }
    return { length, remember: (isOfMany) => documents.remember({ id, pos, body }, length, isOfMany) }
  }

  return {
    get: documents.get,
    getAll: documents.getAll,
    find,
    count: (query) => {
      const [count]: readonly [number] = finderOf(query).count.get(...boundValues(table, query), query.limit)
      return count
    },
    sortKeyOf: ({ id, body }) => [...first.columns.map(({ field }) => body?.[field] ?? ''), id].join(' '),
    hasIndex: (index) => !missing.has(index),
    makeIndexes,
    scan: (afterId, limit) => scan(afterId ?? '', limit),
    ready: (one) => {
      checkId(one.id)
      checkIndexed(table, one.body)
      return rowOf(table, one, one.body === null ? null : shapes.encode(one.id, one.body))
    },
    write,
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

/** Index -> SQL that creates it. */
function missingIndexes(db: DatabaseSyncInstance, table: Table): Map<string, string> {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?")
  const missing = [...table.indexes].filter(([, { name }]) => isThere.get(name) === undefined)
  return new Map(missing.map(([index, { make }]) => [index, make]))
}

function damagedIn(db: DatabaseSyncInstance, { name }: Table): string | null {
  const damaged = db.prepare(`SELECT id FROM ${name} WHERE document IS NOT NULL AND NOT json_valid(document) LIMIT 1`)
  return (damaged.get() as { id: string } | undefined)?.id ?? null
}

const damagedText = (called: string, id: string | null): string =>
  `${id === null ? 'A document' : `Document ${JSON.stringify(id)}`} of ${called} is damaged. ` +
  'Stop the server, remove views.sqlite from the data folder, and start again: all views are built from the log then.'
