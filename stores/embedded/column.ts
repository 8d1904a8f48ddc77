// The column of an indexed or declared field.

import type { FieldType, IndexField } from '../contract/views.ts'

/** The types of fields that have columns of their own. */
type StringKind = Exclude<FieldType, 'record'>
export type StringKinds = Readonly<Record<string, StringKind>>

export interface Column {
  readonly field: string
  /** Quoted, for SQL. */
  readonly name: string
  readonly kind: StringKind | 'any'
  /** What a null or absent field is stored as. */
  readonly absent: number
  readonly descending: boolean
}

/**
 * The column value for a null or absent field. It sorts before every value of the field as NULL does, but can be
 * compared, and no value equals it. 0 takes no byte in a row; a column that may have numbers needs another one.
 */
const ABSENT = 0
const ABSENT_AMONG_NUMBERS = Number.NEGATIVE_INFINITY
const INFINITE_SQL = '-9e999'

export const fieldOf = (indexField: IndexField): string =>
  indexField.startsWith('-') ? indexField.slice(1) : indexField

export function columnOf(indexField: IndexField, kinds: StringKinds = {}): Column {
  const field = fieldOf(indexField)
  const kind = kinds[field] ?? 'any'
  const absent = kind === 'any' ? ABSENT_AMONG_NUMBERS : ABSENT
  return { field, name: `"f_${field}"`, kind, absent, descending: field !== indexField }
}

export const absentIn = ({ absent }: Column): string => (absent === ABSENT ? String(absent) : INFINITE_SQL)

/** The condition of the partial index on its first field. Not a range, so that SQLite never seeks by it. */
export const inIndex = (column: Column): string => `${column.name} <> ${absentIn(column)}`

/**
 * The column in the SQL that creates its table. The driver writes large numbers as doubles, and SQLite makes integers
 * of them.
 */
export const declarationOf = ({ name, kind }: Column): string => `${name} ${kind === 'time' ? 'INTEGER ' : ''}NOT NULL`

export const inOrder = ({ name, descending }: Column): string => (descending ? `${name} DESC` : name)
