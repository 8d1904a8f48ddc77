// The SQLite schema of the read models: one table per collection, its rows clustered by the first declared index; the
// other indexes; and a register of views and collections.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { CollectionSpec, IndexField, Write } from '../contract/views.ts'
import { isIndexable } from '../support/storable.ts'

export const VIEWS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    view TEXT NOT NULL,
    name TEXT NOT NULL,
    indexes TEXT NOT NULL,
    UNIQUE (view, name)
  );
  CREATE TABLE IF NOT EXISTS checkpoints (
    view TEXT NOT NULL,
    partition INTEGER NOT NULL,
    position TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (view, partition)
  ) WITHOUT ROWID;
`

/**
 * Stands in a column where the field is null or absent, in SQL and bound: it comes before every number and text, as NULL
 * would, may stand in a primary key, as NULL may not, and no JSON can hold it.
 */
export const ABSENT_SQL = '-9e999'
export const ABSENT = Number.NEGATIVE_INFINITY

const NAME = /^[a-z][A-Za-z0-9_]*$/
const VIEW_KEY = /^[a-z][A-Za-z0-9_.-]*@[A-Za-z0-9_.+-]+$/

export type RowContent = Pick<Write, 'id' | 'pos' | 'body'>

export interface Column {
  readonly field: string
  /** Quoted, for SQL. */
  readonly name: string
  readonly descending: boolean
}

export interface Table {
  /** Quoted, for SQL. */
  readonly name: string
  /** Every indexed field once, in the order of the columns. */
  readonly fields: readonly string[]
  readonly indexes: ReadonlyMap<string, TableIndex>
  /** Names, quoted, of SQL indexes that older files have, and that others serve as well. */
  readonly needless: readonly string[]
}

export interface TableIndex {
  readonly columns: readonly Column[]
  /** For FROM: what SQLite is to read. */
  readonly hint: string
  /** Name of the SQL index that serves it; null where the table's own order does. */
  readonly name: string | null
  /** SQL that makes it where it is missing; empty where there is nothing to make. */
  readonly make: string
}

/** Throws a TypeError where a name could not stand in SQL or says nothing. */
export function checkNames(view: string, collection: CollectionSpec): void {
  if (!VIEW_KEY.test(view)) throw new TypeError(`A view's key is name@version, not ${JSON.stringify(view)}`)
  const fields = Object.values(collection.indexes).flatMap((index) => index.map((field) => columnOf(field).field))
  for (const name of [collection.name, ...Object.keys(collection.indexes), ...fields]) {
    if (!NAME.test(name))
      throw new TypeError(`${JSON.stringify(name)} in ${view} is no name of a collection, index or field`)
  }
  for (const [name, index] of Object.entries(collection.indexes)) {
    if (index.length === 0) throw new TypeError(`Index ${name} of ${view} has no fields`)
  }
}

/** The table of the collection with this number in the register. */
export function tableOf(number: number, indexes: CollectionSpec['indexes']): Table {
  const described = new Map<string, TableIndex>()
  const needless: string[] = []
  for (const [index, declared] of Object.entries(indexes)) {
    const columns = declared.map(columnOf)
    const like = [...described.values()].find((one) => one.name !== null && isLike(one.columns, columns))
    const own = sqlIndex(number, index, columns)
    if (like !== undefined) needless.push(`"${own.name}"`)
    if (described.size === 0) described.set(index, { columns, ...AS_THE_TABLE })
    else described.set(index, like === undefined ? own : { ...like, columns })
  }
  const fields = new Set([...described.values()].flatMap(({ columns }) => columns.map(({ field }) => field)))
  return { name: `"c${number}"`, fields: [...fields], indexes: described, needless }
}

/**
 * Whether an index serves another too: of the same fields, and at most one of those before the last runs the other way, the
 * first never. It is read backwards then, and what is equal in those fields is sorted, which is little.
 */
function isLike(has: readonly Column[], asked: readonly Column[]): boolean {
  const turned = asked.map((column, at) => column.field === has[at]?.field && column.descending !== has[at]?.descending)
  return (
    has.length === asked.length &&
    asked.every(({ field }, at) => field === has[at]?.field) &&
    turned.every((is, at) => !is || at === 1)
  )
}

const AS_THE_TABLE = { hint: 'NOT INDEXED', name: null, make: '' }

function sqlIndex(number: number, index: string, columns: readonly Column[]): TableIndex {
  const name = `c${number}:${index}`
  const ordered = columns.map(inOrder).join(', ')
  const condition = columns.slice(0, 1).map(inIndex).join()
  const make = `CREATE INDEX IF NOT EXISTS "${name}" ON "c${number}" (${ordered}, id) WHERE ${condition}`
  return { columns, hint: `INDEXED BY "${name}"`, name, make }
}

/**
 * Makes the table, not yet its other indexes: filled first and indexed then, it costs a fraction. `document` holds id,
 * position and body as one JSON array, so that many of them can be joined and parsed together; it is NULL in the marker of
 * a deleted one.
 */
export function createTable(db: DatabaseSyncInstance, number: number, indexes: CollectionSpec['indexes']): void {
  const table = tableOf(number, indexes)
  const [first] = table.indexes.values()
  const columns = table.fields.map((field) => `${columnOf(field).name} NOT NULL,`).join(' ')
  const key = [...(first?.columns ?? []).map(inOrder), 'id'].join(', ')
  db.exec(
    `CREATE TABLE ${table.name} (id TEXT NOT NULL, pos TEXT NOT NULL, document TEXT, ${columns} PRIMARY KEY (${key})) WITHOUT ROWID`,
  )
  if (first !== undefined) db.exec(`CREATE UNIQUE INDEX "c${number}:" ON ${table.name} (id)`)
}

/** The condition, on its first field, under which a document is in an index. No range, so that it is never searched by. */
export function inIndex({ name }: Column): string {
  return `${name} <> ${ABSENT_SQL}`
}

/** The columns of a table, in the order in which `rowValues` gives their values. */
export function columnNames(table: Table): string[] {
  return ['id', 'pos', 'document', ...table.fields.map((field) => columnOf(field).name)]
}

/** What goes into a row. Throws a TypeError for what an index cannot hold. */
export function rowValues(table: Table, { id, pos, body }: RowContent): (string | number | null)[] {
  const document = body === null ? null : JSON.stringify([id, pos, body])
  return [id, pos, document, ...indexedValues(table, body)]
}

/** Those of its fields by which it is found; a deleted document is in no index. Throws a TypeError for what an index cannot hold. */
export function indexedValues(table: Table, body: RowContent['body']): (string | number)[] {
  return table.fields.map((field) => {
    const value = body?.[field] ?? null
    if (value === null) return ABSENT
    if (isIndexable(value)) return value
    throw new TypeError(`Indexed field ${field} must be a string, a finite number or null`)
  })
}

function columnOf(indexField: IndexField): Column {
  const descending = indexField.startsWith('-')
  const field = descending ? indexField.slice(1) : indexField
  return { field, name: `"f_${field}"`, descending }
}

function inOrder({ name, descending }: Column): string {
  return descending ? `${name} DESC` : name
}
