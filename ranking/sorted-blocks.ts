// An ordered set of ASCII strings that knows each one's place: a B+ tree whose leaves are blocks of packed bytes and
// whose branches know how many strings each child holds. Reading and changing are O(log n), with no pause as it
// grows.

import { Block, MAX_BLOCK_BYTES, seek } from './block.ts'

/** The set. Its calls throw RangeError for a member that is not ASCII or is longer than 512. */
export class SortedBlocks {
  #root = new Block(false)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** False where it was there already. Members added in ascending order fill their blocks nearly whole. */
  add(member: string): boolean {
    seek(member)
    if (!this.#root.add()) return false
    this.#added()
    return true
  }

  /** Adds members that come in ascending order and after all that are here: for those there is nothing to seek. */
  addLast(members: readonly string[]): void {
    for (const member of members) {
      seek(member)
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

  /** False where it was not there. */
  remove(member: string): boolean {
    seek(member)
    if (!this.#root.remove()) return false
    this.#size--
    if (this.#root.children.length === 1) this.#root = this.#root.child(0)
    return true
  }

  /** How many members come before this one, whether or not it is here itself. */
  before(member: string): number {
    seek(member)
    const place = this.#root.rank()
    return place < 0 ? ~place : place
  }

  /** A member's place, from 0, or null where it is not here. */
  rank(member: string): number | null {
    seek(member)
    const place = this.#root.rank()
    return place < 0 ? null : place
  }

  /** At most `limit` members, from place `offset` on. */
  range(offset: number, limit: number): string[] {
    const members: string[] = []
    const end = Math.min(offset + limit, this.#size)
    if (offset < end) this.#root.read(offset, end, members)
    return members
  }
}
