// An ordered set of ASCII strings that knows the rank of each: a B+ tree whose leaves are blocks of packed bytes and
// whose branches count the strings below each child. Reads and changes are O(log n), with no pause as it grows.

import { Block, seek } from './block.ts'
import { MAX_BLOCK_BYTES } from './block-size.ts'
import { numberEndingAt } from './digits.ts'

/** The set. Its methods throw RangeError for a sort key that is not ASCII or is longer than 512 characters. */
export class SortedBlocks {
  #root = new Block(false)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Returns false if it was there already. Sort keys added in ascending order fill their blocks almost completely. */
  add(sortKey: string): boolean {
    seek(sortKey)
    if (!this.#root.add()) return false
    this.#added()
    return true
  }

  /** Appends ascending sort keys that come after all existing ones, without searching. */
  addLast(sortKeys: readonly string[]): void {
    for (const sortKey of sortKeys) {
      seek(sortKey)
      this.#root.addLast()
      this.#added()
    }
  }

  #added(): void {
    this.#size++
    if (this.#root.length <= MAX_BLOCK_BYTES) return
    const root = new Block(true)
    root.adopt(0, this.#root)
    root.splitChild(0)
    this.#root = root
  }

  /** Returns false if it was not there. */
  remove(sortKey: string): boolean {
    seek(sortKey)
    if (!this.#root.remove()) return false
    this.#size--
    if (this.#root.children.length === 1) this.#root = this.#root.child(0)
    return true
  }

  /** The number of sort keys that sort before this one, whether or not it is in the set. */
  before(sortKey: string): number {
    seek(sortKey)
    const index = this.#root.rank()
    return index < 0 ? ~index : index
  }

  /** A sort key's rank from 0, or null if it is not in the set. */
  rank(sortKey: string): number | null {
    seek(sortKey)
    const index = this.#root.rank()
    return index < 0 ? null : index
  }

  /** At most `limit` sort keys, from rank `offset` on. */
  range(offset: number, limit: number): string[] {
    const sortKeys: string[] = []
    this.#leaves(offset, limit, (leaf, from, to) => leaf.read(from, to, sortKeys))
    return sortKeys
  }

  /**
   * The numbers, written by `digitsOf`, that such sort keys end with. Each sort key must have the character `separator`
   * (a code) before its number.
   */
  numbersAfter(separator: number, offset: number, limit: number): number[] {
    const numbers: number[] = []
    this.#leaves(offset, limit, (leaf, from, to) => readNumbers(leaf, from, to, separator, numbers))
    return numbers
  }

  #leaves(offset: number, limit: number, visit: Parameters<Block['leaves']>[2]): void {
    const end = Math.min(offset + limit, this.#size)
    if (offset < end) this.#root.leaves(offset, end, visit)
  }
}

/** In a leaf: appends the numbers at the end of a range's sort keys to `into`, without decoding the sort keys. */
function readNumbers({ bytes, stride }: Block, from: number, to: number, separator: number, into: number[]): void {
  for (let start = from * stride; start < to * stride; start += stride) {
    let end = start + stride - 1
    while (bytes[end] === 0) end--
    into.push(numberEndingAt(bytes, end, separator))
  }
}
