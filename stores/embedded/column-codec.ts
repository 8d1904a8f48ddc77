// Encodes the fields that are columns of a row, and decodes them. Declared fields (`CollectionSpec.strings`) take fewer
// bytes than as text: a time is an integer, and a term is the number of its text.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { JsonObject } from '../../domain/event.ts'
import { isPlain } from '../support/storable.ts'
import type { Column } from './column.ts'
import { prepareRows } from './prepare-rows.ts'
import { FIRST_FIELD } from './shape-steps.ts'
import { decodePosition, decodeTime, encodeTime } from './stored-values.ts'
import type { AddText, Table } from './views-schema.ts'

type Value = string | number

export interface ColumnCodec {
  /**
   * The stored values of all columns of a document. May add a term: call it outside of transactions. Throws what
   * `addText` throws.
   */
  encodeFields(body: JsonObject | null): Value[]
  /**
   * The stored value that equals this one in a query; null: that of documents without the field. For a number in a
   * declared column it is one that no document has.
   */
  encodeValue(column: Column, value: Value | null): Value
  /**
   * The value of the field at this index; a number instead of text if the document has no such field. Throws for an
   * unknown term.
   */
  decodeValue(at: number, stored: Value): Value
  /** Decodes the position and the fields of a row in place. Throws as `decodeValue`. */
  decodeRow(row: unknown[]): void
}

/** Throws a TypeError if the terms in the file cannot be what was written. */
export function openColumnCodec(db: DatabaseSyncInstance, table: Table, addText: AddText): ColumnCodec {
  const terms = openTerms(db, table.number, addText)
  const { columns } = table
  const coded = [...columns.keys()].filter((at) => columns[at]?.kind === 'time' || columns[at]?.kind === 'term')

  function encode({ kind, absent }: Column, value: Value | null, isNew: boolean): Value {
    if (value === null) return absent
    if (typeof value === 'number') return kind === 'any' ? value : BEFORE_ALL
    if (kind === 'time') return encodeTime(value) ?? NO_TIME + value
    return kind === 'term' ? (terms.numberOf(value, isNew) ?? value) : value
  }

  function decodeValue(at: number, stored: Value): Value {
    const kind = columns[at]?.kind
    if (stored === 0) return stored
    if (kind === 'time') return typeof stored === 'number' ? decodeTime(stored) : stored.slice(NO_TIME.length)
    return kind === 'term' && typeof stored === 'number' ? terms.textOf(stored) : stored
  }

  return {
    encodeFields: (body) =>
      columns.map((column) => encode(column, (body?.[column.field] ?? null) as Value | null, true)),
    encodeValue: (column, value) => encode(column, value, false),
    decodeValue,
    decodeRow(row) {
      row[1] = decodePosition(row[1] as Value)
      for (const at of coded) row[FIRST_FIELD + at] = decodeValue(at, row[FIRST_FIELD + at] as Value)
    },
  }
}

/** In place of a number in a column that has none: sorts after absent fields, and before all others. */
const BEFORE_ALL = 0.5

/** Before a text that is no time: SQLite would make a number of a text like `2026` in a column of integers. */
const NO_TIME = '~'

// The terms of one collection: few different texts, each stored once. Rows have their numbers. All terms are in memory.

/** More texts of one collection are stored in their rows. */
const MAX_TERMS = 10_000

interface Terms {
  /**
   * Undefined for a text that has none, or that stays in its row. `isNew`: adds the text if it has none. Throws what
   * `addText` throws.
   */
  numberOf(text: string, isNew: boolean): number | undefined
  /** Throws a TypeError for an unknown number. */
  textOf(number: number): string
}

/** Throws a TypeError if the terms in the file cannot be what was written. */
function openTerms(db: DatabaseSyncInstance, collection: number, addText: AddText): Terms {
  const select = prepareRows(db, 'SELECT number, text FROM terms WHERE collection = ? ORDER BY number')
  const texts: string[] = []
  const numbers = new Map<string, number>()

  function add(number: number, text: string): void {
    texts[number] = text
    numbers.set(text, number)
  }

  const rows: (readonly [number, unknown])[] = select.all(collection)
  for (const [number, text] of rows) {
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
      addText('terms', collection, number, text)
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
