// A wavelet matrix (Claude, Navarro, Ordóñez: The wavelet matrix, Information Systems 47, 2015): a sequence of whole
// numbers, a bit of each on every level, which counts those below a bound in any range of places, in one step a level.

import { copy, IN_PIECE, lengthOf, PIECE_BITS, type Pieces, zeros } from './pieces.ts'

/** A block is 64 bits of a level in two words, and before them how many ones the level has before it. */
const BLOCK = 3
const BLOCK_BITS = 64
/**
 * Numbers handled per step of the builder, between two yields: some tenths of a millisecond at
 * most. Pieces are multiples of it.
 */
const SLICE = 4_096

export class WaveletMatrix {
  readonly length: number
  readonly #levels: number
  /** Of each level. */
  readonly #words: Uint32Array[] = []
  /** Per level: how many of its bits are zeros. What had a zero there comes first on the next. */
  readonly #zeros: Uint32Array

  private constructor(length: number, levels: number) {
    this.length = length
    this.#levels = levels
    this.#zeros = new Uint32Array(levels)
  }

  get bytes(): number {
    return this.#words.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Of numbers below `bound`, which are overwritten. O(n log bound), in slices. */
  static *build(numbers: Pieces, bound: number): Generator<void, WaveletMatrix> {
    const length = lengthOf(numbers)
    const made = new WaveletMatrix(length, Math.max(1, 32 - Math.clz32(Math.max(0, bound - 1))))
    const aside = yield* zeros(length)
    for (let level = 0; level < made.#levels; level++) yield* made.#fill(level, numbers, aside)
    return made
  }

  *#fill(level: number, numbers: Pieces, aside: Pieces): Generator<void, void> {
    const { length } = this
    const words = new Uint32Array(((length >>> 6) + 1) * BLOCK)
    this.#words.push(words)
    yield
    const shift = this.#levels - 1 - level
    let none = 0
    let ones = 0
    // The pieces that the next zero and the next one are put in.
    let low = numbers[0] as Uint32Array
    let high = aside[0] as Uint32Array
    for (let from = 0; from < length; from += SLICE) {
      const end = Math.min(length, from + SLICE)
      const piece = numbers[from >>> PIECE_BITS] as Uint32Array
      for (let at = from; at < end; at++) {
        const block = (at >>> 6) * BLOCK
        if (at % BLOCK_BITS === 0) words[block] = ones
        const number = piece[at & IN_PIECE] as number
        if ((number >>> shift) & 1) {
          const word = block + 1 + ((at >>> 5) & 1)
          words[word] = (words[word] as number) | (1 << (at & 31))
          high[ones++ & IN_PIECE] = number
          if ((ones & IN_PIECE) === 0) high = aside[ones >>> PIECE_BITS] as Uint32Array
        } else {
          low[none++ & IN_PIECE] = number
          if ((none & IN_PIECE) === 0) low = numbers[none >>> PIECE_BITS] as Uint32Array
        }
      }
      yield
    }
    if (length % BLOCK_BITS === 0) words[(length >>> 6) * BLOCK] = ones
    yield* copy(aside, ones, numbers, none)
    this.#zeros[level] = none
  }

  /** How many of the numbers at places `from` to before `to` are below `bound`. */
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

  /** The least of the numbers at places `from` to before `to` that is not below `bound`, or -1. */
  atLeast(from: number, to: number, bound: number): number {
    if (from >= to || (this.#levels < 32 && bound >>> this.#levels > 0)) return -1
    let low = from
    let high = to
    /** The deepest level where larger ones than those gone for were, and their places on the next. */
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

  /** The least of what lies at these places of a level, whose bits before it are known. */
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

/** How many ones a level of these words has before a place. */
function ones(words: Uint32Array, place: number): number {
  const block = (place >>> 6) * BLOCK
  const mask = (1 << (place & 31)) - 1
  const first = words[block + 1] as number
  if ((place & 32) === 0) return (words[block] as number) + bitsOf(first & mask)
  return (words[block] as number) + bitsOf(first) + bitsOf((words[block + 2] as number) & mask)
}

function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
