// Recent changes to a frozen window that are not sorted yet and are scanned one by one: only a few.

import type { Point } from './points.ts'

/**
 * An entry that is not in the frozen part. It ranks before the frozen member at index `at`, and after the one before
 * that.
 */
export interface AddedEntry extends Point {
  readonly at: number
  readonly member: string
  isPresent: boolean
  /** It was removed before sorting began, and is left out of the result. */
  isLeftOut: boolean
}

/** A frozen entry that was removed. */
export interface RemovedEntry extends Point {
  readonly at: number
}

/** The position of a member: a frozen index, and its order among added entries of that index. */
export interface RankPosition {
  readonly at: number
  readonly member: string
}

export class UnsortedChanges {
  added: AddedEntry[] = []
  /** Sorted added entries, or ones being sorted, that were removed since. */
  removedAdded: AddedEntry[] = []
  removed: RemovedEntry[] = []

  get length(): number {
    return this.added.length + this.removedAdded.length + this.removed.length
  }

  /** The change, by these entries, of the number of entries of a window that rank before a position. */
  before(at: number, member: string, since: number, until: number): number {
    const { added, removedAdded, removed } = this
    let count = 0
    for (const fresh of added) {
      if (fresh.at > at || fresh.time < since || fresh.time >= until) continue
      if (fresh.at < at || fresh.member < member) count++
    }
    for (const fresh of removedAdded) {
      if (fresh.at > at || fresh.time < since || fresh.time >= until) continue
      if (fresh.at < at || fresh.member < member) count--
    }
    for (const point of removed) if (point.at < at && point.time >= since && point.time < until) count--
    return count
  }
}
