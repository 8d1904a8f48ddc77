// Keeps the matching entries that a page near the first may answer, so that they are not read again: some may have moved since.

import type { Entry } from './entry.ts'
import type { ScoresQuery } from './query.ts'

/** Pages that end behind so many entries are read again: an entry may hold 8 KiB of extra_data, and up to twice as many are held. */
export const KNOWN_MAX = 200
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
/** Entries of one time are in rank order: of these too, the one that a page answers first comes last. */
const newestLast = (a: Entry, b: Entry) => compare(a.updated, b.updated) || compare(b.member, a.member)
const oldestLast = (a: Entry, b: Entry) => compare(b.updated, a.updated) || compare(b.member, a.member)

/** To be given the matching entries from the worst on. */
export class KnownEntries {
  readonly #max: number
  readonly #order: ScoresQuery['order']
  #entries: Entry[] = []

  constructor({ order, offset, limit }: Pick<ScoresQuery, 'order' | 'offset' | 'limit'>) {
    this.#order = order
    this.#max = offset + limit <= KNOWN_MAX ? offset + limit : 0
  }

  /** How many are held now. */
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

  byMember(): Map<string, Entry> {
    return new Map(this.#entries.map((entry) => [entry.member, entry]))
  }
}
