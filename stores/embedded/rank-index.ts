// An index by rank in memory: for each ranking key the rows of the table in the order of their members (sort keys).

import { RADIX, SortedBlocks } from '../../ranking/sorted-blocks.ts'
import type { Find } from '../contract/views.ts'

/** Sorts before every character of a member. It ends the member, and the number of the row follows. */
const END = '\u0001'
const END_CODE = END.charCodeAt(0)
/** After a member: sorts after that member with any row, and before every longer member. */
const BEHIND = '\u0002'
/** Counters of changes. A row uses the one at its number modulo this. */
const COUNTERS = 2 ** 15

export class RankIndex {
  /** Names this index in stamps of pages. */
  readonly name = Symbol('index by rank')
  readonly #rankings = new Map<string, OrderedRows>()
  /** Changes of documents. Of 64 bits, so that a counter never overflows. */
  readonly #changes = new Float64Array(COUNTERS)

  /** The rows of a ranking; undefined if there is none. */
  rowsOf(key: string): OrderedRows | undefined {
    return this.#rankings.get(key)
  }

  /** `row`: the number of the row in the table. */
  add(key: string, member: string, row: number): void {
    const rows = this.#rankings.get(key) ?? new OrderedRows()
    this.#rankings.set(key, rows)
    rows.add(member, row)
  }

  remove(key: string, member: string, row: number): void {
    const rows = this.#rankings.get(key)
    rows?.remove(member, row)
    if (rows?.size === 0) this.#rankings.delete(key)
  }

  /** Notes that the document of a row has changed. */
  noteChange(row: number): void {
    this.#changes[row % COUNTERS] = (this.#changes[row % COUNTERS] as number) + 1
  }

  /** Grows with each change of a document of these rows, and with changes of rows that share a counter with them. */
  changesOf(rows: readonly number[]): number {
    let sum = 0
    for (const row of rows) sum += this.#changes[row % COUNTERS] as number
    return sum
  }

  /**
   * The numbers of the rows that a query finds, in its order. O(log n + limit), whatever it skips. Throws a TypeError for a query that
   * the index cannot answer.
   */
  find(query: Find): number[] {
    return this.#queried(query)?.find(query) ?? []
  }

  /** How many rows a query finds without `skip`, up to its limit. O(log n). Throws as `find`. */
  count(query: Find): number {
    return this.#queried(query)?.count(query) ?? 0
  }

  #queried({ index, equal, behind }: Find): OrderedRows | undefined {
    const [key] = equal
    if (typeof key !== 'string' || equal.length !== 1 || behind !== undefined)
      throw new TypeError(`Index ${index} is in memory: a query gives its first field exactly, and no cursor`)
    return this.#rankings.get(key)
  }
}

/** Numbers of rows in the order of their members, which no two rows share. */
class OrderedRows {
  /** Each is a member, END and the number of its row. */
  readonly #texts = new SortedBlocks()

  get size(): number {
    return this.#texts.size
  }

  add(member: string, row: number): void {
    this.#texts.add(textOf(member, row))
  }

  remove(member: string, row: number): void {
    this.#texts.remove(textOf(member, row))
  }

  /** The number of members that sort before this one, which need not be there. O(log n). */
  before(member: string): number {
    return this.#texts.before(member)
  }

  /** A member's rank from 0; null if no row has it. O(log n). */
  rank(member: string): number | null {
    const before = this.#texts.before(member)
    const [text] = this.#texts.range(before, 1)
    return text?.startsWith(member + END) === true ? before : null
  }

  /** At most `limit` members, from rank `offset` on. O(log n + limit). */
  range(offset: number, limit: number): string[] {
    return this.#texts.range(offset, limit).map((text) => text.slice(0, text.indexOf(END)))
  }

  /** The numbers of at most `limit` rows, from rank `offset` on. O(log n + limit). */
  rowsAt(offset: number, limit: number): number[] {
    return this.#texts.numbersAfter(END_CODE, offset, limit)
  }

  find({ among, reverse = false, skip = 0, limit, ...bounds }: Find): number[] {
    if (among !== undefined) {
      const texts = this.#among(among)
      return (reverse ? texts.reverse() : texts).slice(skip, skip + limit).map(rowOf)
    }
    const { start, end } = this.#bounded(bounds)
    if (reverse) {
      const stop = Math.max(start, end - skip)
      const from = Math.max(start, stop - limit)
      return this.rowsAt(from, stop - from).reverse()
    }
    const from = Math.min(end, start + skip)
    return this.rowsAt(from, Math.min(limit, end - from))
  }

  count({ among, limit, ...bounds }: Find): number {
    if (among !== undefined) return Math.min(limit, this.#among(among).length)
    const { start, end } = this.#bounded(bounds)
    return Math.min(limit, end - start)
  }

  /** The texts of these members, in order. */
  #among(members: readonly (string | number)[]): string[] {
    return [...new Set(members.map(String))].sort().flatMap((member) => {
      const start = this.#texts.before(member)
      return this.#texts.range(start, this.#texts.before(member + BEHIND) - start)
    })
  }

  /** The ranks of the first row within the bounds, and of the one after the last. */
  #bounded({ from, after, until }: Pick<Find, 'from' | 'after' | 'until'>) {
    const atLeast = from === undefined ? 0 : this.before(String(from))
    const pastAfter = after === undefined ? 0 : this.before(after + BEHIND)
    const start = Math.max(atLeast, pastAfter)
    const end = until === undefined ? this.size : this.before(String(until))
    return { start, end: Math.max(start, end) }
  }
}

const textOf = (member: string, row: number): string => `${member}${END}${row.toString(RADIX)}`

const rowOf = (text: string): number => Number.parseInt(text.slice(text.indexOf(END) + 1), RADIX)
