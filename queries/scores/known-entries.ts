// Keeps the matching entries that a page near the start may contain, so that they are not read again: they may have
// moved since.

import type { Entry } from './entry.ts'
import type { ScoresQuery } from './query.ts'

/**
 * Entries of pages that end after this are read again: an entry may have 8 KiB of extra_data, and up to twice as many
 * entries are kept.
 */
export const KNOWN_MAX = 200
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
/** Entries of the same time are in rank order; here, too, the first one of a page comes last. */
const newestLast = (a: Entry, b: Entry) => compare(a.updated, b.updated) || compare(b.member, a.member)
const oldestLast = (a: Entry, b: Entry) => compare(b.updated, a.updated) || compare(b.member, a.member)

/** Add the matching entries from the worst on. */
export class KnownEntries {
  readonly #max: number
  readonly #order: ScoresQuery['order']
  #entries: Entry[] = []

  constructor({ order, offset, limit }: Pick<ScoresQuery, 'order' | 'offset' | 'limit'>) {
    this.#order = order
    this.#max = offset + limit <= KNOWN_MAX ? offset + limit : 0
  }

  /** The number of entries kept. */
  get size(): number {
    return this.#entries.length
  }

  add(entry: Entry): void {
    if (this.#max === 0) return
    if (this.#order !== 'worst' || this.#entries.length < this.#max) this.#entries.push(entry)
    if (this.#order === 'worst' || this.#entries.length < 2 * this.#max) return
    if (this.#order !== 'best') this.#entries.sort(this.#order === 'newest' ? newestLast : oldestLast)
    this.#entries = this.#entries.slice(-this.#max)
  }

  bySortKey(): Map<string, Entry> {
    return new Map(this.#entries.map((entry) => [entry.member, entry]))
  }
}
