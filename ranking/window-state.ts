// A frozen window with the changes since: entries added and removed, as points that count +1 or -1. The last few are
// scanned one by one; earlier ones are sorted. Sorting advances by some steps with each change, so that no change
// causes a long pause.

import { numberAt } from './chunks.ts'
import type { PackedSortKeys, SortKeyPacker } from './packed-sort-keys.ts'
import { countFirst, type Point, Points } from './points.ts'
import { idOfSortKey, timeOfSortKey } from './sort-key.ts'
import { orderTimes, runAll, type SortedTimes } from './times.ts'
import { WaveletMatrix } from './wavelet-matrix.ts'

/** Maximum number of changes scanned one by one; as many again can be in the process of being sorted. */
const MAX_UNSORTED = 128
/** Sorting steps per change: enough to finish before as many changes wait again. */
const STEPS = 5

/** All changes up to a moment, sorted. */
interface Settled {
  readonly added: Points<AddedEntry>
  readonly removed: Points<RemovedEntry>
}
/** Estimated maximum bytes of a change, including its index in the sorted list. */
const CHANGE_BYTES = 320

export class WindowState {
  readonly frozen: FrozenWindow
  /** Ids of changed entries -> their new entry; null if removed. */
  readonly #changed = new Map<string, AddedEntry | null>()
  #settled: Settled = { added: Points.none<AddedEntry>(), removed: Points.none<RemovedEntry>() }
  #unsorted = new UnsortedChanges()
  #settling: { readonly unsorted: UnsortedChanges; readonly work: Generator<void, Settled> } | null = null

  constructor(frozen: FrozenWindow) {
    this.frozen = frozen
    for (const [at, time] of frozen.doubles) this.#unsorted.removed.push({ at, time, index: 0 })
    if (this.#unsorted.length > MAX_UNSORTED) runAll(this.settle())
  }

  get bytes(): number {
    return bytesOf(this.frozen) + this.#settled.added.bytes + this.#settled.removed.bytes + this.changes * CHANGE_BYTES
  }

  get changes(): number {
    return this.#changed.size + this.frozen.doubles.size
  }

  /** Sets the sort key of an entry; null removes it. */
  set(id: string, sortKey: string | null): void {
    const changed = this.#changed.get(id)
    const at = changed === undefined ? this.frozen.sortKeys.indexOf(id) : -1
    if (changed === undefined && at < 0 && sortKey === null) return
    if ((changed?.sortKey ?? (at < 0 ? null : this.frozen.sortKeys.text(at))) === sortKey) return
    if (changed) this.#drop(changed)
    else if (at >= 0) this.#unsorted.removed.push({ at, time: timeOfSortKey(this.frozen.sortKeys.text(at)), index: 0 })
    const addedEntry = sortKey === null ? null : this.#addedEntry(sortKey)
    if (addedEntry !== null) this.#unsorted.added.push(addedEntry)
    this.#changed.set(id, addedEntry)
    for (let step = 0; step < STEPS && this.#settling !== null; step++) this.#step()
    if (this.#unsorted.length <= MAX_UNSORTED) return
    while (this.#settling !== null) this.#step()
    this.#begin()
  }

  #addedEntry(sortKey: string): AddedEntry {
    return { at: this.frozen.sortKeys.before(sortKey), sortKey, time: timeOfSortKey(sortKey), ...UNPLACED }
  }

  #drop(addedEntry: AddedEntry): void {
    addedEntry.isPresent = false
    const { added, removedAdded } = this.#unsorted
    const at = added.indexOf(addedEntry)
    if (at < 0) removedAdded.push(addedEntry)
    else added.splice(at, 1)
  }

  /**
   * Sorts all changes made before this call, and possibly some made during it. Returns the added entries and the
   * removed frozen ones. O(changes), in steps.
   */
  *settle(): Generator<void, { readonly added: readonly AddedEntry[]; readonly removed: readonly RemovedEntry[] }> {
    while (this.#settling !== null) {
      this.#step()
      yield
    }
    this.#begin()
    for (const settling = this.#settling; this.#settling === settling; ) {
      this.#step()
      yield
    }
    return { added: this.#settled.added.all, removed: this.#settled.removed.all }
  }

  #begin(): void {
    const unsorted = this.#unsorted
    this.#unsorted = new UnsortedChanges()
    for (const addedEntry of unsorted.removedAdded) addedEntry.isLeftOut = true
    this.#settling = { unsorted, work: inOrder(this.#settled, unsorted) }
  }

  #step(): void {
    const next = this.#settling?.work.next()
    if (!next?.done) return
    this.#settled = next.value
    this.#settling = null
  }

  /** The sort key of an entry, or null. */
  sortKeyOf(id: string): string | null {
    const changed = this.#changed.get(id)
    if (changed !== undefined) return changed?.sortKey ?? null
    const at = this.frozen.sortKeys.indexOf(id)
    return at < 0 ? null : this.frozen.sortKeys.text(at)
  }

  /** The position of a sort key, whether or not it is in the window. */
  positionOf(sortKey: string): RankPosition {
    const id = idOfSortKey(sortKey)
    const changed = this.#changed.get(id)
    if (changed?.sortKey === sortKey) return changed
    const at = changed === undefined ? this.frozen.sortKeys.indexOf(id) : -1
    const isFrozen = at >= 0 && this.frozen.sortKeys.text(at) === sortKey
    return { at: isFrozen ? at : this.frozen.sortKeys.before(sortKey), sortKey }
  }

  /** The number of entries of the window that rank before a position. */
  before({ at, sortKey }: RankPosition, since: number, until: number): number {
    const { times, indexes } = this.frozen
    const isBefore = (point: RankPosition) => point.at < at || (point.at === at && point.sortKey < sortKey)
    let count = indexes.count(times.indexOf(since), times.indexOf(until), at)
    const { added, removed } = this.#settled
    if (added.all.length > 0) count += added.count(since, until, added.countFirst(isBefore))
    if (removed.all.length > 0) {
      const first = removed.countFirst((point) => point.at < at)
      count -= removed.count(since, until, first)
    }
    count += this.#unsorted.before(at, sortKey, since, until)
    return this.#settling === null ? count : count + this.#settling.unsorted.before(at, sortKey, since, until)
  }

  /** The number of entries in the window. */
  size(since: number, until: number): number {
    return this.before({ at: this.frozen.sortKeys.length + 1, sortKey: '' }, since, until)
  }

  /** Sort keys of the window in rank order, from rank `offset` on. O(log² n), plus O(log n) for each. */
  range(offset: number, limit: number, since: number, until: number): string[] {
    const sortKeys: string[] = []
    if (offset >= this.size(since, until)) return sortKeys
    const unsorted = [...this.#unsorted.added, ...(this.#settling?.unsorted.added ?? [])]
      .filter(({ time, isPresent }) => isPresent && time >= since && time < until)
      .sort(inRankOrder)
    const first = this.#lastWithin(offset, unsorted, since, until)
    const heads = [
      this.#frozenFrom(first, since, until),
      this.#addedFrom(first, since, until),
      unsorted.filter((one) => inRankOrder(one, first) >= 0).values(),
    ].map((rest: Iterator<RankPosition, undefined>) => ({ rest, next: rest.next().value }))
    while (sortKeys.length < limit) {
      let least: { rest: Iterator<RankPosition, undefined>; next: RankPosition } | null = null
      for (const { rest, next } of heads) {
        if (next !== undefined && (least === null || isBelow(next, least.next))) least = { rest, next }
      }
      if (least === null) break
      sortKeys.push(least.next.sortKey)
      for (const head of heads) if (head.rest === least.rest) head.next = head.rest.next().value
    }
    return sortKeys
  }

  /** The last of all points, present or not, that has at most this many entries of the window before it. */
  #lastWithin(max: number, unsorted: readonly AddedEntry[], since: number, until: number): RankPosition {
    const isWithin = (index: RankPosition) => this.before(index, since, until) <= max
    const { sortKeys } = this.frozen
    let low = 0
    let high = sortKeys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isWithin({ at: middle, sortKey: sortKeys.text(middle) })) low = middle + 1
      else high = middle
    }
    let last: RankPosition = low === 0 ? { at: 0, sortKey: '' } : { at: low - 1, sortKey: sortKeys.text(low - 1) }
    for (const addedEntry of [this.#settled.added.all, unsorted]) {
      const within = addedEntry[countFirst(addedEntry, isWithin) - 1]
      if (within !== undefined && isBelow(last, within)) last = within
    }
    return last
  }

  *#frozenFrom({ at, sortKey }: RankPosition, since: number, until: number): Generator<RankPosition, undefined> {
    const { sortKeys, times, indexes } = this.frozen
    const [from, to] = [times.indexOf(since), times.indexOf(until)]
    for (let next = indexes.atLeast(from, to, at); next >= 0; next = indexes.atLeast(from, to, next + 1)) {
      const text = sortKeys.text(next)
      if (text >= sortKey && this.#isFrozenStill(next, text)) yield { at: next, sortKey: text }
    }
  }

  #isFrozenStill(index: number, sortKey: string): boolean {
    return !this.#changed.has(idOfSortKey(sortKey)) && !this.frozen.doubles.has(index)
  }

  *#addedFrom(first: RankPosition, since: number, until: number): Generator<RankPosition, undefined> {
    const { added } = this.#settled
    const from = added.countFirst((addedEntry) => inRankOrder(addedEntry, first) < 0)
    for (let next = added.next(since, until, from); next >= 0; next = added.next(since, until, next + 1)) {
      const addedEntry = added.all[next] as AddedEntry
      if (addedEntry.isPresent) yield addedEntry
    }
  }
}

const UNPLACED = { index: 0, isPresent: true, isLeftOut: false }

function* inOrder({ added, removed }: Settled, unsorted: UnsortedChanges): Generator<void, Settled> {
  const isAddedToo = unsorted.added.length + unsorted.removedAdded.length > 0
  return {
    added: isAddedToo ? yield* added.with(unsorted.added, inRankOrder, ({ isLeftOut }) => !isLeftOut) : added,
    removed: unsorted.removed.length > 0 ? yield* removed.with(unsorted.removed, byIndex, () => true) : removed,
  }
}

const byIndex = (a: RemovedEntry, b: RemovedEntry): number => a.at - b.at

const isBelow = (one: RankPosition, other: RankPosition): boolean => one.sortKey < other.sortKey

function inRankOrder(a: RankPosition, b: RankPosition): number {
  return a.at === b.at ? (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0) : a.at - b.at
}

// Recent changes to a frozen window that are not sorted yet and are scanned one by one: only a few.

/**
 * An entry that is not in the frozen part. It ranks before the frozen sort key at index `at`, and after the one before
 * that.
 */
interface AddedEntry extends Point {
  readonly at: number
  readonly sortKey: string
  isPresent: boolean
  /** It was removed before sorting began, and is left out of the result. */
  isLeftOut: boolean
}

/** A frozen entry that was removed. */
interface RemovedEntry extends Point {
  readonly at: number
}

/** The position of a sort key: a frozen index, and its order among added entries of that index. */
interface RankPosition {
  readonly at: number
  readonly sortKey: string
}

class UnsortedChanges {
  added: AddedEntry[] = []
  /** Sorted added entries, or ones being sorted, that were removed since. */
  removedAdded: AddedEntry[] = []
  removed: RemovedEntry[] = []

  get length(): number {
    return this.added.length + this.removedAdded.length + this.removed.length
  }

  /** The change, by these entries, of the number of entries of a window that rank before a position. */
  before(at: number, sortKey: string, since: number, until: number): number {
    const { added, removedAdded, removed } = this
    let count = 0
    for (const fresh of added) {
      if (fresh.at > at || fresh.time < since || fresh.time >= until) continue
      if (fresh.at < at || fresh.sortKey < sortKey) count++
    }
    for (const fresh of removedAdded) {
      if (fresh.at > at || fresh.time < since || fresh.time >= until) continue
      if (fresh.at < at || fresh.sortKey < sortKey) count--
    }
    for (const point of removed) if (point.at < at && point.time >= since && point.time < until) count--
    return count
  }
}

// An immutable snapshot of a board's entries for counting in time windows: the sort keys in rank order, the times in
// order, and the ranks in order of time in a wavelet matrix.

export interface FrozenWindow {
  readonly sortKeys: PackedSortKeys
  readonly times: SortedTimes
  /** For each entry in order of time: its index in rank order. */
  readonly indexes: WaveletMatrix
  /** Indexes of sort keys whose id an earlier sort key also has, with their times: to be left out. */
  readonly doubles: ReadonlyMap<number, number>
}

/** Freezes the packed sort keys. O(n log n), in steps. */
export function* freeze(packer: SortKeyPacker): Generator<void, FrozenWindow> {
  const { sortKeys, times, doubles } = yield* packer.finish()
  const { sorted, indexes } = yield* orderTimes(times)
  return {
    sortKeys,
    times: sorted,
    indexes: yield* WaveletMatrix.build(indexes, sortKeys.length),
    doubles: new Map(doubles.map((index) => [index, numberAt(times, index)])),
  }
}

const bytesOf = ({ sortKeys, times, indexes }: FrozenWindow): number => sortKeys.bytes + times.bytes + indexes.bytes
