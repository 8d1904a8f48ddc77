// Rows of a table in the order of texts, in memory: for each ranking key a B+ tree of packed texts, each with the
// number of its row.

import { digitsOf } from '../../ranking/digits.ts'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'
import type { Find } from '../contract/views.ts'

/** Sorts before every character of a text. It ends the text, and the number of the row follows. */
const END = '\u0001'
const END_CODE = END.charCodeAt(0)
/** After a text: sorts after that text with any row, and before every longer text. */
const BEHIND = '\u0002'

/** The rows of each ranking key. */
export class KeyedRows {
  readonly #rows = new Map<string, OrderedRows>()

  /** Undefined for a key without rows. */
  of(key: string): OrderedRows | undefined {
    return this.#rows.get(key)
  }

  add(key: string, text: string, row: number): void {
    let rows = this.#rows.get(key)
    if (rows === undefined) {
      rows = new OrderedRows()
      this.#rows.set(key, rows)
    }
    rows.add(text, row)
  }

  remove(key: string, text: string, row: number): void {
    const rows = this.#rows.get(key)
    rows?.remove(text, row)
    if (rows?.size === 0) this.#rows.delete(key)
  }
}

interface Ranks {
  readonly start: number
  readonly end: number
}

/** The ranks of at most `limit` rows of a range, after `skip` of them; counted from its end if `reverse`. */
export function ranksOf(
  { start, end }: Ranks,
  { skip, limit, reverse }: Required<Pick<Find, 'skip' | 'limit' | 'reverse'>>,
): readonly [from: number, to: number] {
  if (reverse) {
    const to = Math.max(start, end - skip)
    return [Math.max(start, to - limit), to]
  }
  const from = Math.min(end, start + skip)
  return [from, Math.min(end, from + limit)]
}

interface TextBounds {
  readonly from?: string | number | undefined
  readonly after?: string | number | undefined
  readonly through?: string | number | undefined
  readonly until?: string | number | undefined
}

/** Changes of all of them, so that no two states have the same number. */
let changes = 0

/**
 * Numbers of rows in the order of their texts, which are ASCII without control characters. Rows with equal texts are in
 * any order.
 */
export class OrderedRows {
  /** Each is a text of a row, END and the number of the row. */
  readonly #texts = new SortedBlocks()
  #version = 0

  /** Another one after each change; no other rows of this process ever have it. */
  get version(): number {
    return this.#version
  }

  get size(): number {
    return this.#texts.size
  }

  add(text: string, row: number): void {
    this.#texts.add(numbered(text, row))
    this.#version = ++changes
  }

  remove(text: string, row: number): void {
    this.#texts.remove(numbered(text, row))
    this.#version = ++changes
  }

  /** The number of rows whose texts sort before this one, which no row needs to have. O(log n). */
  before(text: string): number {
    return this.#texts.before(text)
  }

  /** The rank, from 0, of the first row with this text; null if no row has it. O(log n). */
  rank(text: string): number | null {
    const before = this.#texts.before(text)
    const [found] = this.#texts.range(before, 1)
    return found?.startsWith(text + END) === true ? before : null
  }

  /** The texts of at most `limit` rows, from rank `offset` on. O(log n + limit). */
  range(offset: number, limit: number): string[] {
    return this.#texts.range(offset, limit).map((found) => found.slice(0, found.indexOf(END)))
  }

  /** The numbers of at most `limit` rows, from rank `offset` on. O(log n + limit). */
  rowsAt(offset: number, limit: number): number[] {
    return this.#texts.numbersAfter(END_CODE, offset, limit)
  }

  find({ among, reverse = false, skip = 0, limit, ...bounds }: Find): number[] {
    if (among !== undefined) {
      const rows = this.#among(among)
      return (reverse ? rows.reverse() : rows).slice(skip, skip + limit)
    }
    const [from, to] = ranksOf(this.within(bounds), { skip, limit, reverse })
    const rows = this.rowsAt(from, to - from)
    return reverse ? rows.reverse() : rows
  }

  count({ among, limit, ...bounds }: Find): number {
    if (among !== undefined) return Math.min(limit, this.#among(among).length)
    const { start, end } = this.within(bounds)
    return Math.min(limit, end - start)
  }

  /** The numbers of the rows with these texts, in order. */
  #among(texts: readonly (string | number)[]): number[] {
    return [...new Set(texts.map(String))].sort().flatMap((text) => {
      const start = this.before(text)
      return this.rowsAt(start, this.before(text + BEHIND) - start)
    })
  }

  /**
   * The ranks of the first row within the bounds, and of the one after the last: texts from `from` through `through`,
   * inclusive, after `after` and before `until`. O(log n).
   */
  within({ from, after, through, until }: TextBounds): Ranks {
    const atLeast = from === undefined ? 0 : this.before(String(from))
    const pastAfter = after === undefined ? 0 : this.before(after + BEHIND)
    const start = Math.max(atLeast, pastAfter)
    const pastThrough = through === undefined ? this.size : this.before(through + BEHIND)
    const end = Math.min(pastThrough, until === undefined ? this.size : this.before(String(until)))
    return { start, end: Math.max(start, end) }
  }
}

const numbered = (text: string, row: number): string => `${text}${END}${digitsOf(row)}`
