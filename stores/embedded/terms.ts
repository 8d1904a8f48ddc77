// The terms of one collection: few different texts, each stored once. Rows have their numbers. All terms are in memory.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { isPlain } from '../support/storable.ts'
import type { AddText } from './numbered-texts.ts'
import { prepareRows } from './prepare-rows.ts'

/** More texts of one collection are stored in their rows. */
const MAX_TERMS = 10_000

export interface Terms {
  /**
   * Undefined for a text that has none, or that stays in its row. `isNew`: adds the text if it has none. Throws what
   * `addText` throws.
   */
  numberOf(text: string, isNew: boolean): number | undefined
  /** Throws a TypeError for an unknown number. */
  textOf(number: number): string
}

/** Throws a TypeError if the terms in the file cannot be what was written. */
export function openTerms(db: DatabaseSyncInstance, collection: number, addText: AddText): Terms {
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
