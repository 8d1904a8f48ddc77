// A wavelet matrix (Claude, Navarro, Ordóñez: The wavelet matrix, Information Systems 47, 2015): a sequence of whole numbers, a
// bit of each on every level, which counts those below a bound in any range of places, in one step a level.

/** A block is 64 bits of a level in two words, and before them how many ones the level has before it. */
const BLOCK = 3
const BLOCK_BITS = 64
/** Numbers handled between two turns of whoever builds: some tenths of a millisecond. */
const SLICE = 8_192

export class WaveletMatrix {
  readonly length: number
  readonly #levels: number
  /** Words of one level. */
  readonly #width: number
  readonly #words: Uint32Array
  /** Per level: how many of its bits are zeros. What had a zero there comes first on the next. */
  readonly #zeros: Uint32Array

  private constructor(length: number, levels: number) {
    this.length = length
    this.#levels = levels
    this.#width = ((length >>> 6) + 1) * BLOCK
    this.#words = new Uint32Array(this.#width * levels)
    this.#zeros = new Uint32Array(levels)
  }

  get bytes(): number {
    return this.#words.byteLength
  }

  /** Of numbers below `bound`, which are overwritten. O(n log bound), in slices. */
  static *build(numbers: Uint32Array, bound: number): Generator<void, WaveletMatrix> {
    const made = new WaveletMatrix(numbers.length, Math.max(1, 32 - Math.clz32(Math.max(0, bound - 1))))
    const aside = new Uint32Array(numbers.length)
    for (let level = 0; level < made.#levels; level++) yield* made.#fill(level, numbers, aside)
    return made
  }

  *#fill(level: number, numbers: Uint32Array, aside: Uint32Array): Generator<void, void> {
    const { length } = this
    const words = this.#words.subarray(level * this.#width, (level + 1) * this.#width)
    const shift = this.#levels - 1 - level
    let zeros = 0
    let ones = 0
    for (let from = 0; from < length; from += SLICE) {
      const end = Math.min(length, from + SLICE)
      for (let at = from; at < end; at++) {
        const block = (at >>> 6) * BLOCK
        if (at % BLOCK_BITS === 0) words[block] = ones
        const number = numbers[at] as number
        if ((number >>> shift) & 1) {
          const word = block + 1 + ((at >>> 5) & 1)
          words[word] = (words[word] as number) | (1 << (at & 31))
          aside[ones++] = number
        } else {
          numbers[zeros++] = number
        }
      }
      yield
    }
    if (length % BLOCK_BITS === 0) words[(length >>> 6) * BLOCK] = ones
    numbers.set(aside.subarray(0, ones), zeros)
    this.#zeros[level] = zeros
  }

  /** How many of the numbers at places `from` to before `to` are below `bound`. */
  count(from: number, to: number, bound: number): number {
    if (from >= to || bound <= 0) return 0
    if (this.#levels < 32 && bound >>> this.#levels > 0) return to - from
    const words = this.#words
    let low = from
    let high = to
    let count = 0
    for (let level = 0, start = 0; level < this.#levels && low < high; level++, start += this.#width) {
      const lowOnes = ones(words, start, low)
      const highOnes = ones(words, start, high)
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
    const words = this.#words
    let low = from
    let high = to
    /** The deepest level where larger ones than those gone for were, and their places on the next. */
    let other = -1
    let otherLow = 0
    let otherHigh = 0
    let level = 0
    for (; level < this.#levels && low < high; level++) {
      const start = level * this.#width
      const zeros = this.#zeros[level] as number
      const lowOnes = ones(words, start, low)
      const highOnes = ones(words, start, high)
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
    const words = this.#words
    let low = fromLow
    let high = fromHigh
    let number = known
    for (let level = from; level < this.#levels; level++) {
      const lowOnes = ones(words, level * this.#width, low)
      const highOnes = ones(words, level * this.#width, high)
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

/** How many ones a level, whose words begin at `start`, has before a place. */
function ones(words: Uint32Array, start: number, place: number): number {
  const block = start + (place >>> 6) * BLOCK
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
