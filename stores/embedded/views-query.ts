// Translates a Find to SQL. The text depends only on which fields are given, never on their values, which are always
// bound.

import type { Find, IndexCursor } from '../contract/views.ts'
import { isIndexable } from '../support/storable.ts'
import { absentIn, type Column, inIndex } from './column.ts'
import type { ColumnCodec } from './column-codec.ts'
import { joinedRows, rowText, type Table, type TableIndex } from './views-schema.ts'

interface FindTexts {
  /** Returns one row: the found documents joined by commas, or null. */
  readonly documents: string
  readonly count: string
}

/** A key that is equal for queries with the same SQL. */
export function statementKey({ index, equal, from, after, until, among, behind, reverse }: Find): string {
  const bounds =
    (from === undefined ? 0 : 1) +
    (after === undefined ? 0 : 2) +
    (until === undefined ? 0 : 4) +
    (among === undefined ? 0 : 16) +
    (behind === undefined ? 0 : 32)
  return `${index} ${equal.length} ${reverse === true ? bounds + 8 : bounds}`
}

/**
 * The values to bind, in SQL order; followed by `limit` and, for documents, `skip`. Throws as `checked`: SQLite would
 * treat a negative limit as none.
 */
export function boundValues(table: Table, codec: ColumnCodec, find: Find): (string | number)[] {
  const { equal, among, behind } = checked(find)
  const index = indexOf(table, find)
  /** `at`: of a field of the index. A value beyond its fields is not encoded. */
  const encode = (value: string | number | null, at: number) => {
    const column = index.columns[at]
    return column === undefined ? (value ?? 0) : codec.encodeValue(column, value)
  }
  const next = (value: string | number) => encode(value, equal.length)
  const values = [...equal.map(encode), ...boundsOf(find).map(next)]
  if (among !== undefined) values.push(JSON.stringify(among.map(next)))
  if (behind !== undefined) {
    values.push(
      ...behind.fields.map((value, at) => encode(value, equal.length + at)),
      tieValue(index, equal.length, behind),
    )
  }
  return values
}

/** Returns the query. Throws a RangeError for a negative limit, and a TypeError for a value that no field can have. */
export function checked(find: Find): Find {
  const { equal, among = [], limit, skip = 0 } = find
  if (!(limit >= 0 && skip >= 0)) throw new RangeError(`A find cannot have limit ${limit} and skip ${skip}`)
  if (![...equal, ...boundsOf(find), ...among].every(isIndexable))
    throw new TypeError('A value to find by must be a finite number, or a string without NUL characters')
  return find
}

const boundsOf = ({ from, after, until }: Find): (string | number)[] =>
  [from, after, until].filter((bound) => bound !== undefined)

/** The value of a cursor for the column that orders documents with equal fields. */
function tieValue({ columns, tie }: TableIndex, equal: number, { fields, id }: IndexCursor): string {
  if (tie.column === 'id') return id
  const absent = columns.filter((_, at) => at >= equal && (fields[at - equal] ?? null) === null)
  return absent.some(({ field }) => tie.distinct.includes(field)) ? id : ''
}

/** Throws a TypeError for an undeclared index. */
function indexOf(table: Table, { view, collection, index }: Find): TableIndex {
  const found = table.indexes.get(index)
  if (found === undefined) throw new TypeError(`${view}/${collection} has no index ${index}`)
  return found
}

/** Throws a TypeError for an undeclared index, or for more values than it has fields. */
export function findTexts(table: Table, find: Find): FindTexts {
  const { columns, tie, name: indexName } = indexOf(table, find)
  if (find.equal.length > columns.length) throw new TypeError(`Index ${find.index} has only ${columns.length} fields`)
  const conditions = conditionsOf(find, columns, tie.column)
  const order = columns
    .slice(find.equal.length)
    .map(({ name, descending }) => `${name} ${descending !== (find.reverse === true) ? 'DESC' : 'ASC'}`)
  order.push(`${tie.column} ${find.reverse === true ? 'DESC' : 'ASC'}`)
  const source = `FROM ${table.name} INDEXED BY "${indexName}" WHERE ${conditions.join(' AND ')}`
  const inOrder = `${source} ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`
  return {
    documents: joinedRows(rowText(table), inOrder),
    count: `SELECT count(*) FROM (SELECT 1 ${source} LIMIT ?)`,
  }
}

/** One row-value comparison, which lets SQLite seek directly. */
function behindOf(find: Find, columns: readonly Column[], tie: string, { fields }: IndexCursor): string {
  if (fields.length !== columns.length || columns.some(({ descending }) => descending)) {
    throw new TypeError(`A cursor into index ${find.index} must have ${columns.length} fields and no descending ones`)
  }
  const names = [...columns.map(({ name }) => name), tie]
  return `(${names.join(', ')}) ${find.reverse === true ? '<' : '>'} (${names.map(() => '?').join(', ')})`
}

function conditionsOf(find: Find, columns: readonly Column[], tie: string): string[] {
  const { equal, from, after, until, among, behind } = find
  // Must equal the condition of the partial index literally; otherwise SQLite does not use it.
  const conditions = columns.slice(0, 1).map(inIndex)
  for (const { name } of columns.slice(0, equal.length)) conditions.push(`${name} = ?`)
  const bounded = columns[equal.length]
  const isBounded = from !== undefined || after !== undefined || until !== undefined || among !== undefined
  if (behind !== undefined) {
    if (isBounded) throw new TypeError('A query with a cursor cannot have bounds')
    return [...conditions, behindOf(find, columns.slice(equal.length), tie, behind)]
  }
  if (bounded === undefined) {
    if (isBounded) throw new TypeError(`Index ${find.index} has no field left for a bound`)
    return conditions
  }
  const { name, descending } = bounded
  const [later, earlier] = descending ? ['<', '>'] : ['>', '<']
  if (from !== undefined) conditions.push(`${name} ${later}= ?`)
  if (after !== undefined) conditions.push(`${name} ${later} ?`)
  if (until !== undefined) conditions.push(`${name} ${earlier} ?`)
  if (among !== undefined) {
    conditions.push(`${name} IN (SELECT value FROM json_each(?))`)
    return conditions
  }
  // Absent values sort first. SQLite seeks to one lower bound only, so omit this one if another lower bound implies it.
  const hasLower = descending ? until !== undefined : from !== undefined || after !== undefined
  if (!hasLower && (isBounded || equal.length === 0)) conditions.push(`${name} > ${absentIn(bounded)}`)
  return conditions
}
