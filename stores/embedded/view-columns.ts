// How the values of indexed fields, and positions, are stored in the columns of a row: as declared (`CollectionSpec.columns`), in
// fewer bytes than as text. A time is an integer; a term is the number of its text, which is stored once per collection.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { JsonObject, Position } from '../../domain/event.ts'
import { isPlain } from '../support/storable.ts'
import type { Column } from './column.ts'
import { type Keep, prepareRows } from './prepare-rows.ts'
import { FIRST_FIELD } from './shape-steps.ts'
import type { Table } from './views-schema.ts'

type Value = string | number

export interface ViewColumns {
  /** The fields of a document as they are stored. May keep a term: call it outside of transactions. Throws what `keep` throws. */
  stored(body: JsonObject | null): Value[]
  /**
   * A value to find by, as it is stored; null is the value of documents without the field. No document has a number in a column
   * that is declared.
   */
  wanted(column: Column, value: Value | null): Value
  /** A stored value of the field at this index; not a text if the document has no such field. Throws for an unknown term. */
  value(at: number, stored: Value): Value
  /** Replaces the position and the stored fields of a row by what they stand for. Throws as `value`. */
  restore(row: unknown[]): void
}

/** More texts of one collection are stored in their rows. */
const MAX_TERMS = 10_000

/** Throws a TypeError if the terms in the file cannot be what was written. */
export function openColumns(db: DatabaseSyncInstance, table: Table, keep: Keep): ViewColumns {
  const terms = openTerms(db, table.number, keep)
  const { columns } = table
  const coded = [...columns.keys()].filter((at) => columns[at]?.kind === 'time' || columns[at]?.kind === 'term')

  function encoded({ kind, absent }: Column, value: Value | null, isNew: boolean): Value {
    if (value === null) return absent
    if (typeof value === 'number') return kind === 'any' ? value : BEFORE_ALL
    if (kind === 'time') return timeNumber(value) ?? NO_TIME + value
    return kind === 'term' ? (terms.numberOf(value, isNew) ?? value) : value
  }

  function value(at: number, stored: Value): Value {
    const kind = columns[at]?.kind
    if (stored === 0) return stored
    if (kind === 'time') {
      return typeof stored === 'number' ? new Date(stored - TIME_OFFSET).toISOString() : stored.slice(NO_TIME.length)
    }
    return kind === 'term' && typeof stored === 'number' ? terms.textOf(stored) : stored
  }

  return {
    stored: (body) => columns.map((column) => encoded(column, (body?.[column.field] ?? null) as Value | null, true)),
    wanted: (column, wanted) => encoded(column, wanted, false),
    value,
    restore(row) {
      row[1] = positionText(row[1] as Value)
      for (const at of coded) row[FIRST_FIELD + at] = value(at, row[FIRST_FIELD + at] as Value)
    },
  }
}

/** In place of a number in a column that has none: sorts after absent fields, and before all others. */
const BEFORE_ALL = 0.5

interface Terms {
  /** Undefined for a text that has none, or that stays in its row. `isNew`: keeps it. */
  numberOf(text: string, isNew: boolean): number | undefined
  textOf(number: number): string
}

function openTerms(db: DatabaseSyncInstance, collection: number, keep: Keep): Terms {
  const select = prepareRows(db, 'SELECT number, text FROM terms WHERE collection = ? ORDER BY number')
  const texts: string[] = []
  const numbers = new Map<string, number>()

  function add(number: number, text: string): void {
    texts[number] = text
    numbers.set(text, number)
  }

  for (const [number, text] of select.all(collection) as unknown as readonly (readonly [number, unknown])[]) {
    if (number !== numbers.size + 1 || !isPlain(text) || numbers.has(text))
      throw new TypeError(`term ${number} is damaged`)
    add(number, text)
  }
  return {
    numberOf(text, isNew) {
      const known = numbers.get(text)
      if (known !== undefined || !isNew) return known
      if (numbers.size >= MAX_TERMS || !isPlain(text)) return undefined
      const number = numbers.size + 1
      keep('terms', collection, number, text)
      add(number, text)
      return number
    },
    textOf(number) {
      const text = texts[number]
      if (text === undefined) throw new TypeError(`no term ${number}`)
      return text
    },
  }
}

/** Added to the milliseconds since 1970, so that the year 0 begins at 1; 0 is the value of documents without the field. */
const TIME_OFFSET = 1 - Date.parse('0000-01-01T00:00:00.000Z')
/** Before a text that is no time: SQLite would make a number of a text like `2026` in a column of integers. */
const NO_TIME = '~'

/** Milliseconds from the year 0 on, plus 1; undefined for a text that `toISOString` would not write, or of an earlier time. */
function timeNumber(text: string): number | undefined {
  const ms = Date.parse(text)
  return ms + TIME_OFFSET > 0 && new Date(ms).toISOString() === text ? ms + TIME_OFFSET : undefined
}

const DIGITS = 16
/** The driver writes large numbers as doubles, of which SQLite's JSON has 15 digits. */
const MAX_NUMBER = 10 ** 15 - 1
const HEXADECIMAL = /^[0-9a-f]{16}$/

/** A position of the embedded log as its number; any other text as it is. */
export function storedPosition(position: Position): Value {
  if (!HEXADECIMAL.test(position)) return position
  const number = Number.parseInt(position, 16)
  return number <= MAX_NUMBER ? number : position
}

export const positionText = (stored: Value): Position =>
  typeof stored === 'number' ? stored.toString(16).padStart(DIGITS, '0') : stored
