// Makes the rows of a batch of events for the file of the log's index. Rows with near keys follow each other, because
// they share pages.

import type { IndexedEvent } from './indexed-event.ts'

/** Bytes of the hash of a stream name. SQLite stores an integer of this size without padding. */
export const HASH_BYTES = 6
/** Events whose rows are made in one step, in about a millisecond. */
export const EVENTS_PER_STEP = 1_024
/** Rows that are sorted in one step. */
const ROWS_PER_SORT = 512

interface RevisionRow {
  /** Of the name of the stream: an integer of `HASH_BYTES` bytes with a sign. */
  readonly hash: number
  readonly revision: number
  readonly sequence: number
}

/** Rows of `revisions`, in ranges of their hashes, each of which is sorted when it is needed. */
export class RevisionRanges {
  readonly #ranges: readonly RevisionRow[][]

  /** `events`: the number of rows that will be added. */
  constructor(events: number) {
    this.#ranges = Array.from({ length: Math.ceil(events / ROWS_PER_SORT) }, () => [])
  }

  add(hash: number, { revision, sequence }: IndexedEvent): void {
    const { length } = this.#ranges
    const share = hash / 2 ** (8 * HASH_BYTES) + 0.5
    const range = Math.max(0, Math.min(length - 1, Math.floor(share * length)))
    this.#ranges[range]?.push({ hash, revision, sequence })
  }

  /** All rows by hash, then by revision. */
  *sorted(): Generator<readonly RevisionRow[]> {
    for (const range of this.#ranges) yield range.sort((a, b) => a.hash - b.hash || a.revision - b.revision)
  }
}

export interface FilterRow {
  readonly filter: string
  readonly sequence: number
}

/** Rows of `members`, filter by filter. */
export function filterRowsOf(events: readonly IndexedEvent[]): FilterRow[] {
  const byFilter = new Map<string, FilterRow[]>()
  for (const { sequence, filters } of events) {
    for (const filter of filters) {
      const members = byFilter.get(filter)
      if (members === undefined) byFilter.set(filter, [{ filter, sequence }])
      else members.push({ filter, sequence })
    }
  }
  return [...byFilter.values()].flat()
}

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
