// The rows of a batch of events for the file of the log's index, in the order in which few pages have many of them.

import type { IndexedEvent } from './indexed-event.ts'

/** Bytes of the hash of a stream name. SQLite stores an integer of this size without padding. */
export const HASH_BYTES = 6
/** Events whose rows are made in one step, in a few milliseconds. */
export const MADE_AT_ONCE = 4_096
/** Rows that are sorted in one step. */
const SORTED_AT_ONCE = 512

export interface Revision {
  /** Of the name of the stream: an integer of `HASH_BYTES` bytes with a sign. */
  readonly hash: number
  readonly revision: number
  readonly sequence: number
}

/** Rows of `revisions`, in ranges of their hashes, each of which is sorted when it is needed. */
export class RevisionRanges {
  readonly #ranges: readonly Revision[][]

  /** `events`: the number of rows that will be added. */
  constructor(events: number) {
    this.#ranges = Array.from({ length: Math.ceil(events / SORTED_AT_ONCE) }, () => [])
  }

  add(hash: number, { revision, sequence }: IndexedEvent): void {
    const { length } = this.#ranges
    const share = hash / 2 ** (8 * HASH_BYTES) + 0.5
    const range = Math.max(0, Math.min(length - 1, Math.floor(share * length)))
    this.#ranges[range]?.push({ hash, revision, sequence })
  }

  /** All rows by hash, then by revision. */
  *sorted(): Generator<readonly Revision[]> {
    for (const range of this.#ranges) yield range.sort((a, b) => a.hash - b.hash || a.revision - b.revision)
  }
}

export interface Member {
  readonly filter: string
  readonly sequence: number
}

/** Rows of `members`, filter by filter. */
export function membersOf(events: readonly IndexedEvent[]): Member[] {
  const byFilter = new Map<string, Member[]>()
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
