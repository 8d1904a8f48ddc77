// Damages pages of a SQLite file that no process has open, as bad sectors and bit rot do.

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Random } from '../random.ts'

export const PAGE_BYTES = 4_096
/** A page of a table or an index begins with its type, which none of these is. */
const PATTERNS = ['zeros', 'ones', 'random bytes', 'random bytes in the header of the page'] as const
const PAGE_HEADER_BYTES = 8

export type Damage = (typeof PATTERNS)[number]

/** Pages have numbers from 1. `roots`: the first pages of tables and indexes. */
export interface Pages {
  readonly count: number
  readonly roots: ReadonlyMap<string, number>
}

export function pagesOf(path: string): Pages {
  const db = new DatabaseSync(path, { readOnly: true })
  const rows = db.prepare('SELECT name, rootpage AS page FROM sqlite_schema WHERE rootpage > 0').all() as {
    name: string
    page: number
  }[]
  db.close()
  return { count: statSync(path).size / PAGE_BYTES, roots: new Map(rows.map(({ name, page }) => [name, page])) }
}

/** Returns a text that names the damage. */
export function damagePage(path: string, page: number, random: Random, damage: Damage = random.pick(PATTERNS)): string {
  const bytes = readFileSync(path)
  const at = (page - 1) * PAGE_BYTES
  if (damage === 'zeros') bytes.fill(0, at, at + PAGE_BYTES)
  else if (damage === 'ones') bytes.fill(0xff, at, at + PAGE_BYTES)
  else {
    const length = damage === 'random bytes' ? PAGE_BYTES : PAGE_HEADER_BYTES
    for (let i = 0; i < length; i += 1) bytes.writeUInt8(random.below(256), at + i)
  }
  writeFileSync(path, bytes)
  return `${damage} in page ${page}`
}

/** A page of rows of a table, and the offsets in it: https://www.sqlite.org/fileformat2.html#b_tree_pages. */
const ROWS = 0x0d
const CELLS_AT = 3
const POINTERS_AT = 8

/** Gives a row of a table with row numbers another number, in its place. Both are below 16,384. */
export function renumberRow(path: string, from: number, to: number): void {
  const bytes = readFileSync(path)
  for (let page = PAGE_BYTES; page < bytes.length; page += PAGE_BYTES) {
    if (bytes[page] !== ROWS) continue
    for (let cell = 0; cell < bytes.readUInt16BE(page + CELLS_AT); cell += 1) {
      const at = page + bytes.readUInt16BE(page + POINTERS_AT + 2 * cell)
      const [, length] = integerAt(bytes, at)
      const [number, digits] = integerAt(bytes, at + length)
      if (number !== from) continue
      if (digits === 2) bytes.writeUInt8(0x80 | (to >> 7), at + length)
      bytes.writeUInt8(to & 0x7f, at + length + digits - 1)
    }
  }
  writeFileSync(path, bytes)
}

/** An integer of seven bits a byte, and its bytes. */
function integerAt(bytes: Buffer, at: number): readonly [value: number, length: number] {
  const first = bytes.readUInt8(at)
  return first < 0x80 ? [first, 1] : [((first & 0x7f) << 7) | bytes.readUInt8(at + 1), 2]
}

/** Replaces a text in a page by one of the same length. */
export function replaceInPage(path: string, page: number, from: string, to: string): void {
  const bytes = readFileSync(path)
  const own = bytes.subarray((page - 1) * PAGE_BYTES, page * PAGE_BYTES)
  own.write(own.toString('latin1').replace(from, to), 'latin1')
  writeFileSync(path, bytes)
}
