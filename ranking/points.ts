// Points in rank order, each with a time: counts how many of the first points are in a time window. Immutable: adding
// or removing points builds a new instance from the old one.

import { asChunks } from './chunks.ts'
import { runAll } from './times.ts'
import { WaveletMatrix } from './wavelet-matrix.ts'

/** Points handled per step while building: some hundredths of a millisecond. */
const ITEMS_PER_YIELD = 512

export interface Point {
  readonly time: number
  /** Its index among all points. */
  index: number
}

export class Points<Some extends Point> {
  /** In rank order. */
  readonly all: readonly Some[]
  readonly #byTime: readonly Some[]
  readonly #times: Float64Array
  readonly #indexes: WaveletMatrix

  private constructor(all: readonly Some[], byTime: readonly Some[], times: Float64Array, indexes: WaveletMatrix) {
    this.all = all
    this.#byTime = byTime
    this.#times = times
    this.#indexes = indexes
  }

  static none<Some extends Point>(): Points<Some> {
    return new Points<Some>([], [], new Float64Array(0), runAll(WaveletMatrix.build([], 0)))
  }

  /**
   * A new instance with the points for which `isKept` is true and some more, built in steps by merging both orders,
   * because the new points are few. The old instance can be read meanwhile, but not afterwards.
   */
  *with(
    added: readonly Some[],
    inRankOrder: (a: Some, b: Some) => number,
    isKept: (point: Some) => boolean,
  ): Generator<void, Points<Some>> {
    const all = yield* merged(this.all, added.toSorted(inRankOrder), inRankOrder, isKept)
    const byTime = yield* merged(this.#byTime, added.toSorted(inTimeOrder), inTimeOrder, isKept)
    for (let index = 0; index < all.length; index++) {
      ;(all[index] as Some).index = index
      if (index % ITEMS_PER_YIELD === 0) yield
    }
    const times = new Float64Array(all.length)
    const indexes = new Uint32Array(all.length)
    for (let at = 0; at < all.length; at++) {
      const point = byTime[at] as Some
      times[at] = point.time
      indexes[at] = point.index
      if (at % ITEMS_PER_YIELD === 0) yield
    }
    return new Points(all, byTime, times, yield* WaveletMatrix.build(asChunks(indexes), all.length))
  }

  get bytes(): number {
    return this.#times.byteLength + this.#indexes.bytes
  }

  /** The number of the first `bound` points in `[since, until)`. */
  count(since: number, until: number, bound: number): number {
    return this.#indexes.count(this.#timeAt(since), this.#timeAt(until), bound)
  }

  /** The index of the first point in the window from an index on, or -1. */
  next(since: number, until: number, from: number): number {
    return this.#indexes.atLeast(this.#timeAt(since), this.#timeAt(until), from)
  }

  /** Counts the leading points for which `isFirst` is true; it must be false for all later ones. O(log n). */
  countFirst(isFirst: (point: Some) => boolean): number {
    return countFirst(this.all, isFirst)
  }

  #timeAt(time: number): number {
    const times = this.#times
    let low = 0
    let high = times.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((times[middle] as number) < time) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Counts the leading items for which `isFirst` is true; it must be false for all later ones. O(log n). */
export function countFirst<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isFirst(items[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}

const inTimeOrder = (a: Point, b: Point): number => a.time - b.time

/** Merges two ordered lists, keeping only items of the first one for which `isKept` is true. */
function* merged<Item>(
  some: readonly Item[],
  others: readonly Item[],
  order: (a: Item, b: Item) => number,
  isKept: (item: Item) => boolean,
): Generator<void, Item[]> {
  const all: Item[] = []
  let next = 0
  for (let at = 0; at < some.length; at++) {
    if (at % ITEMS_PER_YIELD === 0) yield
    const item = some[at] as Item
    if (!isKept(item)) continue
    while (next < others.length && order(others[next] as Item, item) < 0) all.push(others[next++] as Item)
    all.push(item)
  }
  while (next < others.length) all.push(others[next++] as Item)
  return all
}
