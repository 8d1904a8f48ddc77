// A wavelet matrix (Claude, Navarro, Ordóñez: The wavelet matrix, Information Systems 47, 2015): a sequence of
// integers, one bit of each per level. It counts the numbers below a bound in any index range, in one step per level.

import { CHUNK_BITS, CHUNK_MASK, type Chunks, copy, lengthOf, zeros } from './chunks.ts'

/** A block has three words: the number of ones in the level before it, then 64 bits of the level. */
const BLOCK = 3
const BLOCK_BITS = 64
/** Numbers handled per step: some tenths of a millisecond at most. A chunk is a multiple of it. */
const ITEMS_PER_YIELD = 4_096

export class WaveletMatrix {
  readonly length: number
  readonly #levels: number
  /** The blocks of each level. */
  readonly #words: Uint32Array[] = []
  /** Number of zero bits per level. Numbers with a zero there come first on the next level. */
  readonly #zeros: Uint32Array

  private constructor(length: number, levels: number) {
    this.length = length
    this.#levels = levels
    this.#zeros = new Uint32Array(levels)
  }

  get bytes(): number {
    return this.#words.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Builds from numbers below `bound`, which are overwritten. O(n log bound), in steps. */
  static *build(numbers: Chunks, bound: number): Generator<void, WaveletMatrix> {
    const length = lengthOf(numbers)
    const made = new WaveletMatrix(length, Math.max(1, 32 - Math.clz32(Math.max(0, bound - 1))))
    const scratch = yield* zeros(length)
    for (let level = 0; level < made.#levels; level++) yield* made.#fill(level, numbers, scratch)
    return made
  }

  *#fill(level: number, numbers: Chunks, scratch: Chunks): Generator<void, void> {
    const { length } = this
    const words = new Uint32Array(((length >>> 6) + 1) * BLOCK)
    this.#words.push(words)
    yield
    const shift = this.#levels - 1 - level
    let none = 0
    let ones = 0
    // The chunks that receive the next number with a zero bit and the next with a one bit.
    let low = numbers[0] as Uint32Array
    let high = scratch[0] as Uint32Array
    for (let from = 0; from < length; from += ITEMS_PER_YIELD) {
      const end = Math.min(length, from + ITEMS_PER_YIELD)
      const chunk = numbers[from >>> CHUNK_BITS] as Uint32Array
      for (let at = from; at < end; at++) {
        const block = (at >>> 6) * BLOCK
        if (at % BLOCK_BITS === 0) words[block] = ones
        const number = chunk[at & CHUNK_MASK] as number
        if ((number >>> shift) & 1) {
          const word = block + 1 + ((at >>> 5) & 1)
          words[word] = (words[word] as number) | (1 << (at & 31))
          high[ones++ & CHUNK_MASK] = number
          if ((ones & CHUNK_MASK) === 0) high = scratch[ones >>> CHUNK_BITS] as Uint32Array
        } else {
          low[none++ & CHUNK_MASK] = number
          if ((none & CHUNK_MASK) === 0) low = numbers[none >>> CHUNK_BITS] as Uint32Array
        }
      }
      yield
    }
    if (length % BLOCK_BITS === 0) words[(length >>> 6) * BLOCK] = ones
    yield* copy(scratch, ones, numbers, none)
    this.#zeros[level] = none
  }

  /** The count of numbers below `bound` at indexes from `from` to before `to`. */
  count(from: number, to: number, bound: number): number {
    if (from >= to || bound <= 0) return 0
    if (this.#levels < 32 && bound >>> this.#levels > 0) return to - from
    let low = from
    let high = to
    let count = 0
    for (let level = 0; level < this.#levels && low < high; level++) {
      const words = this.#words[level] as Uint32Array
      const lowOnes = ones(words, low)
      const highOnes = ones(words, high)
      if ((bound >>> (this.#levels - 1 - level)) & 1) {
        count += high - highOnes - (low - lowOnes)
        const zeros = this.#zeros[level] as number
        low = zeros + lowOnes
        high = zeros + highOnes
      } else {
        low -= lowOnes
        high -= highOnes
      }
    }
    return count
  }

  /** The least number that is not below `bound` at indexes from `from` to before `to`, or -1. */
  atLeast(from: number, to: number, bound: number): number {
    if (from >= to || (this.#levels < 32 && bound >>> this.#levels > 0)) return -1
    let low = from
    let high = to
    /** The deepest level at which numbers larger than the followed ones exist, and their range on the next level. */
    let other = -1
    let otherLow = 0
    let otherHigh = 0
    let level = 0
    for (; level < this.#levels && low < high; level++) {
      const words = this.#words[level] as Uint32Array
      const zeros = this.#zeros[level] as number
      const lowOnes = ones(words, low)
      const highOnes = ones(words, high)
      if ((bound >>> (this.#levels - 1 - level)) & 1) {
        low = zeros + lowOnes
        high = zeros + highOnes
        continue
      }
      if (lowOnes < highOnes) {
        other = level
        otherLow = zeros + lowOnes
        otherHigh = zeros + highOnes
      }
      low -= lowOnes
      high -= highOnes
    }
    if (low < high) return bound
    if (other < 0) return -1
    const shift = this.#levels - 1 - other
    return this.#least(other + 1, otherLow, otherHigh, ((bound >>> shift) | 1) * 2 ** shift)
  }

  /** The least number in a range of a level, given the bits of the levels above. */
  #least(from: number, fromLow: number, fromHigh: number, known: number): number {
    let low = fromLow
    let high = fromHigh
    let number = known
    for (let level = from; level < this.#levels; level++) {
      const words = this.#words[level] as Uint32Array
      const lowOnes = ones(words, low)
      const highOnes = ones(words, high)
      if (high - highOnes > low - lowOnes) {
        low -= lowOnes
        high -= highOnes
      } else {
        const zeros = this.#zeros[level] as number
        low = zeros + lowOnes
        high = zeros + highOnes
        number += 2 ** (this.#levels - 1 - level)
      }
    }
    return number
  }
}

/** The number of ones in a level before an index. */
function ones(words: Uint32Array, index: number): number {
  const block = (index >>> 6) * BLOCK
  const mask = (1 << (index & 31)) - 1
  const first = words[block + 1] as number
  if ((index & 32) === 0) return (words[block] as number) + bitsOf(first & mask)
  return (words[block] as number) + bitsOf(first) + bitsOf((words[block + 2] as number) & mask)
}

function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
