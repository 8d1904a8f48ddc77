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
 * The column value for a null or absent field, in SQL and when bound. It sorts before every number and text as NULL does,
 * but is allowed in a primary key, and no JSON value equals it.
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
  /** Every indexed field once, in column order. */
  readonly fields: readonly string[]
  readonly indexes: ReadonlyMap<string, TableIndex>
  /** Quoted names of SQL indexes of older files that other indexes make redundant. */
  readonly needless: readonly string[]
}

export interface TableIndex {
  readonly columns: readonly Column[]
  /** The FROM clause with its index hint. */
  readonly hint: string
  /** Name of the SQL index; null if the table order serves it. */
  readonly name: string | null
  /** SQL that creates the index if it is missing; empty if there is nothing to create. */
  readonly make: string
}

/** Throws a TypeError for an empty name or one that is invalid in SQL. */
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
 * Whether an index can also serve another one: both have the same fields, and at most one field before the last, never the
 * first, has the opposite direction. It is then read backwards, and only rows that are equal in the fields before are sorted.
 */
function isLike(has: readonly Column[], wanted: readonly Column[]): boolean {
  const turned = wanted.map(
    (column, at) => column.field === has[at]?.field && column.descending !== has[at]?.descending,
  )
  return (
    has.length === wanted.length &&
    wanted.every(({ field }, at) => field === has[at]?.field) &&
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
 * Creates the table without its other indexes: creating them after the rows are filled in costs a fraction. `document` is a
 * JSON array of id, position and body, so that many documents can be joined and parsed together. It is NULL in the marker
 * of a deleted document.
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

/** The condition of the partial index on its first field. Not a range, so that SQLite never seeks by it. */
export function inIndex({ name }: Column): string {
  return `${name} <> ${ABSENT_SQL}`
}

/** The columns of a table, in the order in which `rowValues` gives their values. */
export function columnNames(table: Table): string[] {
  return ['id', 'pos', 'document', ...table.fields.map((field) => columnOf(field).name)]
}

/** The values of a row. Throws a TypeError for a value that cannot be indexed. */
export function rowValues(table: Table, { id, pos, body }: RowContent): (string | number | null)[] {
  const document = body === null ? null : JSON.stringify([id, pos, body])
  return [id, pos, document, ...indexedValues(table, body)]
}

/** The indexed fields of a document; none for a deleted one. Throws a TypeError for a value that cannot be indexed. */
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
