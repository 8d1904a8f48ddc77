// Of the entries that a scan meets, those that its page answers: read again at the end, some may have moved.

import type { Entry } from './entry.ts'
import type { ScoresQuery } from './query.ts'

/** Matching entries that are held whole at most, where they are the ones to be answered. */
const KNOWN_MAX = 10_000
/** Entries of one time are in rank order: of these too, the one that a page answers first comes last. */
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
const newestLast = (a: Entry, b: Entry) => compare(a.updated, b.updated) || compare(b.member, a.member)
const oldestLast = (a: Entry, b: Entry) => compare(b.updated, a.updated) || compare(b.member, a.member)

/** To be given the matching entries from the worst on. */
export class KnownEntries {
  readonly #max: number
  readonly #order: ScoresQuery['order']
  #entries: Entry[] = []

  constructor({ order, offset, limit }: Pick<ScoresQuery, 'order' | 'offset' | 'limit'>) {
    this.#order = order
    this.#max = Math.min(KNOWN_MAX, offset + limit)
  }

  add(entry: Entry): void {
    if (this.#order !== 'worst' || this.#entries.length < this.#max) this.#entries.push(entry)
    if (this.#order === 'worst' || this.#entries.length < 2 * this.#max) return
    if (this.#order !== 'best') this.#entries.sort(this.#order === 'newest' ? newestLast : oldestLast)
    this.#entries = this.#entries.slice(-this.#max)
  }

  byMember(): Map<string, Entry> {
    return new Map(this.#entries.map((entry) => [entry.member, entry]))
  }
}
