// An index by time in memory: for each ranking key the rows of the table in the order of their times. It does not have
// the sort keys, by which documents of one time are ordered: these documents are sorted when they are read.

import { digitsOf } from '../../ranking/digits.ts'
import type { Document, Find } from '../contract/views.ts'
import type { Column } from './column.ts'
import type { ColumnCodec } from './column-codec.ts'
import { KeyedRows, type OrderedRows, ranksOf } from './ordered-rows.ts'
import { MAX_TIME } from './stored-values.ts'

interface TimeIndexOptions {
  readonly time: Column
  readonly sortKey: Column
  readonly codec: ColumnCodec
  /** The documents of these rows, in order. */
  readonly inRows: (rows: readonly number[]) => Document[]
}

/** A range of ranks in time, of the rows of one ranking. */
interface Range {
  readonly rows: OrderedRows
  readonly start: number
  readonly end: number
}

/** `isDescending`: the latest time first. `isReverse`: the last sort key of a time first. */
interface Order {
  readonly isDescending: boolean
  readonly isReverse: boolean
}

export class TimeIndex {
  readonly #rankings = new KeyedRows()
  readonly #options: TimeIndexOptions

  constructor(options: TimeIndexOptions) {
    this.#options = options
  }

  /** `time`: as it is stored. `row`: the number of the row in the table. */
  add(key: string, time: string | number, row: number): void {
    this.#rankings.add(key, textOf(time), row)
  }

  remove(key: string, time: string | number, row: number): void {
    this.#rankings.remove(key, textOf(time), row)
  }

  /**
   * The documents that a query finds, in its order. `isDescending`: the direction in which the index is declared. O(log
   * n + limit), whatever it skips; and it reads all documents of the first and the last time. Throws a TypeError for a
   * query that the index cannot answer.
   */
  find(query: Find, isDescending: boolean): Document[] {
    const { limit, skip = 0, reverse = false } = query
    const range = this.#selected(query, isDescending)
    if (range === null) return []
    if (query.equal.length === 2) return this.#ofOneTime(range, query).slice(skip, skip + limit)
    return this.#page(range, { isDescending: isDescending !== reverse, isReverse: reverse }, { skip, limit })
  }

  /**
   * How many documents a query finds without `skip`, up to its limit. O(log n), but it reads all documents of one time.
   * Throws as `find`.
   */
  count(query: Find, isDescending: boolean): number {
    const range = this.#selected(query, isDescending)
    if (range === null) return 0
    const found = query.equal.length === 2 ? this.#ofOneTime(range, query).length : range.end - range.start
    return Math.min(query.limit, found)
  }

  /** The rows with the key, and with the time or within the bounds on it. */
  #selected(query: Find, isDescending: boolean): Range | null {
    const { index, equal, among, behind } = query
    const [key, time] = equal
    const isKnown = equal.every((value) => typeof value === 'string') && among === undefined && behind === undefined
    if (!isKnown || typeof key !== 'string' || equal.length > 2)
      throw new TypeError(`Index ${index} is in memory: a query gives its ranking key, no cursor and no list of values`)
    const rows = this.#rankings.of(key)
    if (rows === undefined) return null
    if (time !== undefined) return { rows, ...rows.within({ from: this.#text(time), through: this.#text(time) }) }
    return { rows, ...rows.within(this.#bounds(query, isDescending)) }
  }

  #bounds({ from, after, until }: Find, isDescending: boolean): Parameters<OrderedRows['within']>[0] {
    const text = (bound: string | number | undefined) => (bound === undefined ? undefined : this.#text(bound))
    const [atLeast, behind, before] = [text(from), text(after), text(until)]
    if (isDescending)
      return { after: before, until: behind, through: atLeast, from: (behind ?? atLeast ?? before) ? FIRST : undefined }
    return { from: atLeast ?? (before === undefined ? undefined : FIRST), after: behind, until: before }
  }

  /** A time of a query as text. Throws a TypeError if it is not a time. */
  #text(time: string | number): string {
    const text = textOf(this.#options.codec.encodeValue(this.#options.time, time))
    if (typeof time === 'string' && text !== NO_TIME) return text
    throw new TypeError(`A time to find by must be one as toISOString writes it, not ${JSON.stringify(time)}`)
  }

  /** The documents of one time, within the bounds on their sort keys. */
  #ofOneTime(range: Range, { from, after, until, reverse = false }: Find): Document[] {
    const { field } = this.#options.sortKey
    return this.#sorted(range, { isDescending: false, isReverse: reverse }).filter(({ body }) => {
      const sortKey = String(body[field])
      const isAtLeast = from === undefined || sortKey >= String(from)
      return (
        isAtLeast &&
        (after === undefined || sortKey > String(after)) &&
        (until === undefined || sortKey < String(until))
      )
    })
  }

  #page({ rows, start, end }: Range, order: Order, { skip, limit }: { skip: number; limit: number }): Document[] {
    const [from, to] = ranksOf({ start, end }, { skip, limit, reverse: order.isDescending })
    if (from === to) return []
    const [first, last] = [rows.range(from, 1)[0], rows.range(to - 1, 1)[0]]
    const wider = { rows, ...rows.within({ from: first, through: last }) }
    const skipped = order.isDescending ? wider.end - to : from - wider.start
    return this.#sorted(wider, order).slice(skipped, skipped + to - from)
  }

  /** The documents of a range that begins and ends with all rows of a time. */
  #sorted({ rows, start, end }: Range, { isDescending, isReverse }: Order): Document[] {
    const { time, sortKey, inRows } = this.#options
    const texts = rows.range(start, end - start)
    const found = inRows(rows.rowsAt(start, end - start)).map((document, n) => ({ document, text: texts[n] ?? '' }))
    found.sort(({ document: a, text: aText }, { document: b, text: bText }) => {
      const byTime = compare(aText, bText) || compare(String(a.body[time.field]), String(b.body[time.field]))
      if (byTime !== 0) return isDescending ? -byTime : byTime
      const bySortKey = compare(String(a.body[sortKey.field]), String(b.body[sortKey.field]))
      return isReverse ? -bySortKey : bySortKey
    })
    return found.map(({ document }) => document)
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const DIGITS = digitsOf(MAX_TIME).length
/** Sorts after every time. */
const NO_TIME = '~'

/**
 * Sorts as the stored time does. `NO_TIME` for a text that is no time, and for a number after the last time, which only
 * a damaged file has.
 */
function textOf(stored: string | number): string {
  return typeof stored === 'number' && stored <= MAX_TIME ? digitsOf(stored).padStart(DIGITS, '0') : NO_TIME
}

/** The first time. Documents without a time sort before it. */
const FIRST = textOf(1)
