// Some points in rank order, each with a time: how many of the first of them lie in a window. Made anew when they change.

import { atOnce, orderTimes, type SortedTimes } from './times.ts'
import { WaveletMatrix } from './wavelet-matrix.ts'

export class Points<Point extends { readonly time: number }> {
  readonly all: readonly Point[]
  readonly #times: SortedTimes
  readonly #places: WaveletMatrix

  /** `all` in rank order. O(n log n), at once: for some ten thousand of them, some milliseconds. */
  constructor(all: readonly Point[]) {
    this.all = all
    const { sorted, places } = atOnce(orderTimes(Float64Array.from(all, ({ time }) => time)))
    this.#times = sorted
    this.#places = atOnce(WaveletMatrix.build(places, all.length))
  }

  get bytes(): number {
    return this.#times.bytes + this.#places.bytes
  }

  /** How many of the first `bound` points lie in `[since, until)`. */
  count(since: number, until: number, bound: number): number {
    return this.#places.count(this.#times.placeOf(since), this.#times.placeOf(until), bound)
  }

  /** The first point from a place on that lies in the window, or -1. */
  next(since: number, until: number, from: number): number {
    return this.#places.atLeast(this.#times.placeOf(since), this.#times.placeOf(until), from)
  }

  /** Of points of which the first ones are, and no others, how many these are. O(log n). */
  whileFirst(isFirst: (point: Point) => boolean): number {
    let low = 0
    let high = this.all.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isFirst(this.all[middle] as Point)) low = middle + 1
      else high = middle
    }
    return low
  }
}
