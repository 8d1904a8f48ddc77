// The SQLite schema of the read models: one table per collection with its documents, in the order of their creation;
// the indexes; and a register of views, collections, shapes of documents and terms. Indexed and declared fields are
// columns. It also recognises a file of an older version, and older versions refuse this one.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { JsonObject } from '../../domain/event.ts'
import type { CollectionSpec, IndexField } from '../contract/views.ts'
import { checkNames, isIndexable } from '../support/storable.ts'
import {
  absentIn,
  type Column,
  columnOf,
  declarationOf,
  fieldOf,
  inIndex,
  inOrder,
  type StringKinds,
} from './column.ts'

/**
 * Older versions keep their checkpoints in a table `checkpoints` or `view_checkpoints`. In this format these are views
 * that cannot be read, so that they refuse the file at start; their error contains this text. The checkpoints are in
 * `reached`.
 */
export const TO_OLDER_VERSIONS =
  'a newer version wrote this file. Start that version, or remove views.sqlite: the views are then rebuilt from the log'
/** SQL that fails in a file of an older version: it has no column of this name. A new format needs another name. */
const READ_AS_THIS = 'SELECT format FROM collections LIMIT 0'

/** Whether the file has an older format. Prepares no statement: one would keep the closed connection alive. */
export function isOlder(db: DatabaseSyncInstance): boolean {
  try {
    db.exec(READ_AS_THIS)
    return false
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no such column')) return true
    throw error
  }
}

export const VIEWS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    view TEXT NOT NULL,
    name TEXT NOT NULL,
    spec TEXT NOT NULL,
    format INTEGER NOT NULL DEFAULT 3,
    UNIQUE (view, name)
  );
  CREATE TABLE IF NOT EXISTS shapes (
    collection INTEGER NOT NULL,
    number INTEGER NOT NULL,
    shape TEXT NOT NULL,
    PRIMARY KEY (collection, number)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS terms (
    collection INTEGER NOT NULL,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (collection, number)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS reached (
    view TEXT NOT NULL,
    partition INTEGER NOT NULL,
    position TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (view, partition)
  ) WITHOUT ROWID;
  CREATE VIEW IF NOT EXISTS checkpoints AS SELECT * FROM "${TO_OLDER_VERSIONS}";
  CREATE VIEW IF NOT EXISTS view_checkpoints AS SELECT * FROM "${TO_OLDER_VERSIONS}";
`

/**
 * What the register keeps of a collection, as JSON, and what its table is made from. A difference other than in
 * `ranking` makes the next start move the rows to a new table, so the names and their order stay.
 */
export interface Declared {
  readonly indexes: CollectionSpec['indexes']
  /** Two documents agree in all of these fields only if one of them is null, so indexes that have them need no ids. */
  readonly distinct?: readonly string[]
  /** Indexes without ids: documents that agree in all fields are sorted by id when they are read. */
  readonly fewTies?: readonly string[]
  readonly ranking?: RankingIndexes
  /** Fields of objects whose field names are kept once, in the shapes of documents. */
  readonly nestedFields?: readonly string[]
  readonly strings?: StringKinds
}

/** The indexes in memory. `byRank` takes about 50 bytes a document, `byTime` 20. */
interface RankingIndexes {
  readonly byRank: string
  /** Also serves the index in which the time is descending. */
  readonly byTime?: string
}

interface DeclaredOptions {
  /** Whether all indexes are in the file. */
  readonly ranksInFile: boolean
}

/** What the table is made from; see `CollectionSpec`. */
export function declaredOf(
  { indexes, fields = {}, ranking }: CollectionSpec,
  { ranksInFile }: DeclaredOptions,
): Declared {
  const nestedFields = Object.keys(fields).filter((field) => fields[field] === 'record')
  const strings = Object.entries(fields).filter(([, type]) => type !== 'record')
  return {
    indexes,
    ...(ranking !== undefined && rankedBy(ranking, Object.fromEntries(strings), { indexes, ranksInFile })),
    ...(nestedFields.length > 0 && { nestedFields }),
    ...(strings.length > 0 && { strings: Object.fromEntries(strings) as StringKinds }),
  }
}

function rankedBy(
  byRank: string,
  types: CollectionSpec['fields'] & object,
  { indexes, ranksInFile }: Pick<CollectionSpec, 'indexes'> & DeclaredOptions,
): Pick<Declared, 'distinct' | 'fewTies' | 'ranking'> {
  const [key, sortKey] = indexes[byRank] ?? []
  const isByTime = (fields: readonly IndexField[], time = fieldOf(fields[1] ?? '')) =>
    fields.length === 3 && fields[0] === key && fields[2] === sortKey && types[time] === 'time'
  const byTime = Object.keys(indexes).find(
    (index) => isByTime(indexes[index] ?? []) && !indexes[index]?.[1]?.startsWith('-'),
  )
  const fewTies = Object.keys(indexes).filter((index) => index !== byRank && !isByTime(indexes[index] ?? []))
  return {
    distinct: indexes[byRank] ?? [],
    ...(!ranksInFile && { ranking: { byRank, ...(byTime !== undefined && { byTime }) } }),
    ...(fewTies.length > 0 && { fewTies: fewTies.sort() }),
  }
}

export interface Table {
  /** In the register. */
  readonly number: number
  /** Quoted, for SQL. */
  readonly name: string
  /** Every indexed or declared field once, in column order. */
  readonly fields: readonly string[]
  /** As in `Declared`. */
  readonly nestedFields: readonly string[]
  readonly indexes: ReadonlyMap<string, TableIndex>
  /** The columns of the fields. */
  readonly columns: readonly Column[]
  /** The column of the table's order. */
  readonly key: 'n' | 'id'
  /** Its indexes by rank and by time, which are in memory. */
  readonly ranking: TableRanking | null
  /** JSON of its declaration. */
  readonly spec: string
}

export interface TableRanking {
  /** The index by rank. */
  readonly index: string
  readonly key: string
  readonly sortKey: string
  /** Null if no index by time is in memory. */
  readonly time: string | null
  /** The indexes by time -> whether the latest document is first. */
  readonly byTime: ReadonlyMap<string, boolean>
}

export interface TableIndex {
  readonly columns: readonly Column[]
  /** The column that orders documents with equal fields. */
  readonly tie: Tie
  /** Name of the SQL index. */
  readonly name: string
  /** SQL that creates the index if it is missing. */
  readonly make: string
}

interface Tie {
  readonly column: 'id' | 'tie'
  /** Whether the index has no such column: its rows are sorted by it when they are read. */
  readonly isSorted: boolean
  /** If none of these fields is null, no other document has equal fields, and the column is empty. */
  readonly distinct: readonly string[]
}

/** Throws a TypeError as `checkNames`, and for a ranking that cannot be one. */
export function checkSpec(view: string, spec: CollectionSpec): void {
  checkNames(view, spec)
  const { indexes, ranking } = spec
  const [key = '-', sortKey = '-', ...others] = ranking === undefined ? ['key', 'member'] : (indexes[ranking] ?? [])
  if (key.startsWith('-') || sortKey.startsWith('-') || others.length > 0)
    throw new TypeError(`Index ${ranking} of ${view} must have two ascending fields, to be its ranking`)
}

/** The table of the collection with this number in the register. */
export function tableOf(number: number, spec: Declared): Table {
  const { indexes, distinct = [], fewTies = [], nestedFields = [] } = spec
  const described = new Map<string, TableIndex>()
  for (const [index, declared] of Object.entries(indexes)) {
    const columns = declared.map((field) => columnOf(field, spec.strings))
    const like = [...described].find(
      ([name, one]) => name !== spec.ranking?.byRank && isLike(one.columns, columns),
    )?.[1]
    const own = like ?? sqlIndex(`c${number}`, index, columns, tieOf(columns, distinct, fewTies.includes(index)))
    described.set(index, { ...own, columns })
  }
  const indexed = [...described.values()].flatMap(({ columns }) => columns.map(({ field }) => field))
  const fields = new Set([...indexed, ...Object.keys(spec.strings ?? {})])
  const key = fields.size === 0 ? 'id' : 'n'
  const columns = [...fields].map((field) => columnOf(field, spec.strings))
  return {
    number,
    name: `"c${number}"`,
    fields: [...fields],
    columns,
    nestedFields,
    indexes: described,
    key,
    ranking: rankingOf(spec, described),
    spec: JSON.stringify(spec),
  }
}

function rankingOf({ indexes, ranking }: Declared, described: Table['indexes']): TableRanking | null {
  if (ranking === undefined) return null
  const { byRank, byTime } = ranking
  const [key = '', sortKey = ''] = indexes[byRank] ?? []
  const [, time = null] = indexes[byTime ?? ''] ?? []
  const served = [...described].filter(([, { name }]) => name === described.get(byTime ?? '')?.name)
  const directions = served.map(([index, { columns }]) => [index, columns[1]?.descending === true] as const)
  return { index: byRank, key, sortKey, time, byTime: new Map(directions) }
}

/** Whether the index is in memory, and not in the file. */
export const isInMemory = ({ ranking }: Table, index: string): boolean =>
  ranking !== null && (index === ranking.index || ranking.byTime.has(index))

/**
 * Whether an index can also serve another one: both have the same fields, and at most one field before the last, never
 * the first, has the opposite direction. It is then read backwards, and only rows that are equal in the fields before
 * are sorted.
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

function tieOf(columns: readonly Column[], distinct: readonly string[], isSorted: boolean): Tie {
  const isDistinct = distinct.length > 0 && distinct.every((field) => columns.some((column) => column.field === field))
  return isDistinct ? { column: 'tie', distinct, isSorted } : { column: 'id', distinct: [], isSorted }
}

function sqlIndex(table: string, index: string, columns: readonly Column[], tie: Tie): TableIndex {
  const name = `${table}:${index}`
  const ordered = [...columns.map(inOrder), ...(tie.isSorted ? [] : [tie.column])].join(', ')
  const condition = columns.slice(0, 1).map(inIndex).join()
  const make = `CREATE INDEX IF NOT EXISTS "${name}" ON "${table}" (${ordered}) WHERE ${condition}`
  return { columns, tie, name, make }
}

/**
 * Creates the table without its declared indexes: creating them after the rows are filled in costs a fraction.
 * `document` is as `document-shapes.ts` writes it, and NULL in the marker of a deleted document.
 */
export function createTable(db: DatabaseSyncInstance, number: number, declared: Declared): void {
  const { name, key, columns } = tableOf(number, declared)
  if (key === 'id') {
    db.exec(`CREATE TABLE ${name} (id TEXT PRIMARY KEY, pos NOT NULL, document TEXT) WITHOUT ROWID`)
    return
  }
  const own = columns.map(declarationOf)
  const isAbsent = (declared.distinct ?? [])
    .map((field) => columnOf(field, declared.strings))
    .map((column) => `${column.name} = ${absentIn(column)}`)
  if (isAbsent.length > 0) own.push(`tie AS (CASE WHEN ${isAbsent.join(' OR ')} THEN id ELSE '' END) VIRTUAL`)
  db.exec(
    `CREATE TABLE ${name} (n INTEGER PRIMARY KEY, id TEXT NOT NULL, pos NOT NULL, document TEXT, ${own.join(', ')})`,
  )
  db.exec(`CREATE UNIQUE INDEX "c${number}:" ON ${name} (id)`)
}

/**
 * SQL of a row as two elements of a JSON array: id, position and fields as they are stored; and its document. NULL for
 * a deleted document.
 */
export function rowText({ columns }: Table): string {
  return `json_array(${['id', 'pos', ...columns.map(({ name }) => name)].join(', ')}) || ',' || document`
}

/**
 * SQL of one text: an element of each row, joined by commas. It costs less than half of a value in JavaScript for each
 * row and column.
 */
export const joinedRows = (element: string, rest: string): string =>
  `SELECT group_concat(found, ',') FROM (SELECT ${element} AS found ${rest})`

/** Throws a TypeError for a value that cannot be indexed. */
export function checkIndexed({ columns }: Table, body: JsonObject | null): void {
  for (const { field, kind } of columns) {
    const value = body?.[field] ?? null
    if (value === null || (isIndexable(value) && (kind === 'any' || typeof value === 'string'))) continue
    throw new TypeError(`Field ${field} must be a string${kind === 'any' ? ', a finite number' : ''} or null`)
  }
}

// Writes texts of a collection that its rows refer to by number: shapes of documents (`document-shapes.ts`) and terms
// (`column-codec.ts`).

/** Writes a new text with its number. The rows that use it are written later, and committed with it or after it. */
export type AddText = (table: 'shapes' | 'terms', collection: number, number: number, text: string) => void

export function prepareAddText(db: DatabaseSyncInstance): AddText {
  const inserts = {
    shapes: db.prepare('INSERT INTO shapes (collection, number, shape) VALUES (?, ?, ?)'),
    terms: db.prepare('INSERT INTO terms (collection, number, text) VALUES (?, ?, ?)'),
  }
  return (table, ...text) => inserts[table].run(...text)
}
