// An index by rank in memory: for each ranking key the rows of the table in the order of their sort keys.

import type { Find } from '../contract/views.ts'
import { KeyedRows, type OrderedRows } from './ordered-rows.ts'

/** Counters of changes. A row uses the one at its number modulo this. */
const COUNTERS = 2 ** 15

export class RankIndex {
  /** Names this index in stamps of pages. */
  readonly name = Symbol('index by rank')
  readonly #rankings = new KeyedRows()
  /** Changes of documents. Of 64 bits, so that a counter never overflows. */
  readonly #changes = new Float64Array(COUNTERS)

  /** The rows of a ranking; undefined if there is none. */
  rowsOf(key: string): OrderedRows | undefined {
    return this.#rankings.of(key)
  }

  /** `row`: the number of the row in the table. */
  add(key: string, sortKey: string, row: number): void {
    this.#rankings.add(key, sortKey, row)
  }

  remove(key: string, sortKey: string, row: number): void {
    this.#rankings.remove(key, sortKey, row)
  }

  /** Notes that the document of a row has changed. */
  noteChange(row: number): void {
    this.#changes[row % COUNTERS] = (this.#changes[row % COUNTERS] as number) + 1
  }

  /** Of each row: grows with each change of its document, and with changes of rows that share a counter with it. */
  changesOf(rows: readonly number[]): number[] {
    return rows.map((row) => this.#changes[row % COUNTERS] as number)
  }

  /**
   * The numbers of the rows that a query finds, in its order. O(log n + limit), whatever it skips. Throws a TypeError
   * for a query that the index cannot answer.
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
    return this.#rankings.of(key)
  }
}
