// Ordered times for windows, at mostly four bytes each; and sorting of times.

import { CHUNK_BITS, CHUNK_MASK, type Chunks, lengthOf, numberAt, zeros } from './chunks.ts'

/** The times of a segment are stored as distances from its first. */
const SEGMENT = 1_024
const MAX_NEAR = 2 ** 32 - 1
const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
/** Numbers handled per step. */
const ITEMS_PER_YIELD = 2_048
/** Distances allocated at once. */
const SLAB = 64 * SEGMENT

/** Unix milliseconds in ascending order. */
export class SortedTimes {
  #length = 0
  readonly #firsts: number[] = []
  readonly #distances: (Uint32Array | Float64Array)[] = []
  /** Free space for the four-byte distances of the next segments. */
  #room = new Uint32Array(0)
  readonly #expected: number

  /** `length`: the expected number of times. */
  constructor(length = 0) {
    this.#expected = length
  }

  get bytes(): number {
    return this.#distances.reduce((sum, { byteLength }) => sum + byteLength, this.#firsts.length * 8)
  }

  /** Appends the first `count` of `times`, which are ascending and come after all existing ones. */
  addSegment(times: Float64Array, count: number): void {
    const first = times[0] as number
    const isNear = (times[count - 1] as number) - first <= MAX_NEAR
    const distances = isNear ? this.#roomFor(count) : new Float64Array(count)
    for (let at = 0; at < count; at++) distances[at] = (times[at] as number) - first
    this.#firsts.push(first)
    this.#distances.push(distances)
    this.#length += count
  }

  #roomFor(count: number): Uint32Array {
    if (this.#room.length < count)
      this.#room = new Uint32Array(Math.max(count, Math.min(SLAB, this.#expected - this.#length)))
    const room = this.#room.subarray(0, count)
    this.#room = this.#room.subarray(count)
    return room
  }

  /** Index of the first time that is not before this one. */
  indexOf(time: number): number {
    if (this.#length === 0 || time <= (this.#firsts[0] as number)) return 0
    let low = 0
    let high = this.#firsts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((this.#firsts[middle] as number) < time) low = middle
      else high = middle
    }
    const distance = time - (this.#firsts[low] as number)
    const distances = this.#distances[low] as Uint32Array | Float64Array
    const segment = low * SEGMENT
    low = 0
    high = distances.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((distances[middle] as number) < distance) low = middle + 1
      else high = middle
    }
    return segment + low
  }
}

/** Sorted times, and the original index of each. Equal times keep their order. */
interface TimeOrder {
  readonly sorted: SortedTimes
  readonly indexes: Chunks
}

/** Radix sort from the lowest digit. O(n), in steps. */
export function* orderTimes(times: Chunks<Float64Array>): Generator<void, TimeOrder> {
  const length = lengthOf(times)
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let indexes = yield* zeros(length)
  let other = yield* zeros(length)
  for (let at = 0; at < length; at++) {
    const time = numberAt(times, at)
    if (time < min) min = time
    if (time > max) max = time
    ;(indexes[at >>> CHUNK_BITS] as Uint32Array)[at & CHUNK_MASK] = at
    if (at % ITEMS_PER_YIELD === 0) yield
  }
  for (let scale = 1; scale <= max - min; scale *= DIGITS) {
    const starts = new Uint32Array(DIGITS + 1)
    const digitOf = (index: number) => Math.floor((numberAt(times, index) - min) / scale) % DIGITS
    for (let at = 0; at < length; at++) {
      const digit = digitOf(at) + 1
      starts[digit] = (starts[digit] as number) + 1
      if (at % ITEMS_PER_YIELD === 0) yield
    }
    for (let digit = 1; digit <= DIGITS; digit++) {
      starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number)
    }
    for (let at = 0; at < length; at++) {
      const index = numberAt(indexes, at)
      const digit = digitOf(index)
      const to = starts[digit] as number
      ;(other[to >>> CHUNK_BITS] as Uint32Array)[to & CHUNK_MASK] = index
      starts[digit] = to + 1
      if (at % ITEMS_PER_YIELD === 0) yield
    }
    ;[indexes, other] = [other, indexes]
  }
  const sorted = new SortedTimes(length)
  const segment = new Float64Array(SEGMENT)
  for (let at = 0; at < length; at++) {
    segment[at % SEGMENT] = numberAt(times, numberAt(indexes, at))
    const filled = (at % SEGMENT) + 1
    if (filled === SEGMENT || at === length - 1) sorted.addSegment(segment, filled)
    if (at % ITEMS_PER_YIELD === 0) yield
  }
  return { sorted, indexes }
}

/** Runs a generator to its end without yielding. */
export function runAll<Result>(slices: Generator<void, Result>): Result {
  for (;;) {
    const next = slices.next()
    if (next.done) return next.value
  }
}
