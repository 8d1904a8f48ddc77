// A node of the B+ tree in SortedBlocks: ordered strings packed in bytes, searched and changed in place.

import { bufferBytes, MAX_BLOCK_BYTES, MIN_BLOCK_BYTES } from './block-size.ts'

const MAX_SORT_KEY_LENGTH = 512

/** The search key of the last `seek` as bytes, padded with zeros: copied once, compared often. */
const sought = new Uint8Array(MAX_SORT_KEY_LENGTH)
let soughtLength = 0

/** Sets the search key of `find`, `rank`, `add`, `remove`. Throws RangeError if it cannot be ranked. */
export function seek(sortKey: string): void {
  const { length } = sortKey
  if (length > MAX_SORT_KEY_LENGTH) throw new RangeError(`a member of ${length} characters cannot be ranked`)
  for (let at = 0; at < length; at++) {
    const code = sortKey.charCodeAt(at)
    if (code === 0 || code > 0x7f) throw new RangeError('a ranked member must be ASCII')
    sought[at] = code
  }
  for (let at = length; at < soughtLength; at++) sought[at] = 0
  soughtLength = length
}

/**
 * A node: `count` ordered strings, each padded with zeros to `stride` bytes. Neighbours in rank have similar lengths,
 * so this wastes little. In a leaf the strings are the sort keys.
 */
export class Block {
  count = 0
  stride = 1
  bytes = Buffer.alloc(0)
  readonly branch: boolean
  /** In a branch each string is a child's lower bound, greater than everything before it; the first is ignored. */
  readonly children: Block[] = []
  /** In a branch: number of sort keys below each child. */
  readonly counts: number[] = []

  constructor(branch: boolean) {
    this.branch = branch
  }

  get length(): number {
    return this.count * this.stride
  }

  child(index: number): Block {
    return this.children[index] as Block
  }

  /** Index of the search key; if it is absent, the complement (~) of its insertion index. */
  find(): number {
    const { bytes, stride } = this
    let low = 0
    let high = this.count
    // All strings between two share the prefix that both have in common with the search key.
    let sharedLow = 0
    let sharedHigh = 0
    while (low < high) {
      const middle = (low + high) >>> 1
      const start = middle * stride
      let at = Math.min(sharedLow, sharedHigh)
      while (at < stride && bytes[start + at] === sought[at]) at++
      if (at === stride && soughtLength <= stride) return middle
      if (at === stride || (bytes[start + at] as number) < (sought[at] as number)) {
        low = middle + 1
        sharedLow = at
      } else {
        high = middle
        sharedHigh = at
      }
    }
    return ~low
  }

  /** Index of the last string not above the search key, or 0: in a branch, of the child that it belongs to. */
  findChild(): number {
    const found = this.find()
    return found >= 0 ? found : found === ~0 ? 0 : ~found - 1
  }

  /** Rank of the search key among all sort keys below; if it is absent, the complement. */
  rank(): number {
    if (!this.branch) return this.find()
    const index = this.findChild()
    let before = 0
    for (let next = 0; next < index; next++) before += this.counts[next] as number
    const within = this.child(index).rank()
    return within < 0 ? within - before : within + before
  }

  add(): boolean {
    if (!this.branch) {
      const found = this.find()
      if (found < 0) this.insert(~found, sought, 0, soughtLength)
      return found < 0
    }
    const index = this.findChild()
    const child = this.child(index)
    if (!child.add()) return false
    this.counts[index] = (this.counts[index] as number) + 1
    if (child.length > MAX_BLOCK_BYTES) this.splitChild(index)
    return true
  }

  /** Like `add`, for a search key that comes after all sort keys. */
  addLast(): void {
    if (!this.branch) {
      this.insert(this.count, sought, 0, soughtLength)
      return
    }
    const index = this.count - 1
    const child = this.child(index)
    child.addLast()
    this.counts[index] = (this.counts[index] as number) + 1
    if (child.length > MAX_BLOCK_BYTES) this.splitChild(index)
  }

  remove(): boolean {
    if (!this.branch) {
      const found = this.find()
      if (found >= 0) this.cut(found)
      return found >= 0
    }
    const index = this.findChild()
    const child = this.child(index)
    if (!child.remove()) return false
    this.counts[index] = (this.counts[index] as number) - 1
    if (child.length < MIN_BLOCK_BYTES && this.count > 1) this.joinChild(Math.min(index, this.count - 2))
    return true
  }

  /** Visits the leaves that hold a range, each with its part of the range. */
  leaves(from: number, to: number, visit: (leaf: Block, from: number, to: number) => void): void {
    if (!this.branch) {
      visit(this, from, to)
      return
    }
    let start = 0
    for (let index = 0; start < to; index++) {
      const end = start + (this.counts[index] as number)
      if (end > from) this.child(index).leaves(Math.max(from, start) - start, Math.min(to, end) - start, visit)
      start = end
    }
  }

  /**
   * In a leaf: appends the sort keys of a range to `into`. Decodes a run at once and slices it: cheaper than one by
   * one.
   */
  read(from: number, to: number, into: string[]): void {
    const { stride } = this
    const text = this.bytes.toString('latin1', from * stride, to * stride)
    for (let start = 0; start < text.length; start += stride) {
      let end = start + stride
      while (end > start && text.charCodeAt(end - 1) === 0) end--
      into.push(text.substring(start, end))
    }
  }

  /** Inserts a child under its own first string. */
  adopt(index: number, child: Block): void {
    this.insert(index, child.bytes, 0, child.stride)
    this.children.splice(index, 0, child)
    this.counts.splice(index, 0, child.branch ? child.counts.reduce((sum, count) => sum + count, 0) : child.count)
  }

  /** Splits a child in half; one that grows at the end of its parent keeps seven eighths: more will follow there. */
  splitChild(index: number): void {
    const child = this.child(index)
    const ascending = index === this.count - 1 && child.findChild() === child.count - 1
    const right = new Block(child.branch)
    right.append(child, child.count - (child.count >> (ascending ? 3 : 1)))
    child.reshape(child.count, child.width(0))
    this.adopt(index + 1, right)
    this.counts[index] = (this.counts[index] as number) - (this.counts[index + 1] as number)
  }

  /** Merges a child with the next one; if the result is too large, splits it evenly. */
  joinChild(index: number): void {
    const [left, right] = [this.child(index), this.child(index + 1)]
    left.append(right, 0)
    this.cut(index + 1)
    this.children.splice(index + 1, 1)
    this.counts[index] = (this.counts[index] as number) + (this.counts.splice(index + 1, 1)[0] as number)
    if (left.length > MAX_BLOCK_BYTES) this.splitChild(index)
  }

  /** Moves the strings of another block, from an index on, to the end of this one. */
  append(other: Block, from: number): void {
    const { count } = this
    this.reserve(count + other.count - from, Math.max(this.stride, other.width(from)))
    copyRows(other, from, this.bytes, count, this.stride)
    this.count += other.count - from
    other.count = from
    this.children.push(...other.children.splice(from))
    this.counts.push(...other.counts.splice(from))
  }

  insert(index: number, text: Uint8Array, start: number, length: number): void {
    const { count } = this
    this.reserve(count + 1, Math.max(this.stride, length))
    const { bytes, stride } = this
    const at = index * stride
    bytes.copyWithin(at + stride, at, count * stride)
    for (let next = 0; next < stride; next++) bytes[at + next] = next < length ? (text[start + next] as number) : 0
    this.count++
  }

  cut(index: number): void {
    const { bytes, stride } = this
    bytes.copyWithin(index * stride, (index + 1) * stride, this.length)
    this.count--
  }

  /** Ensures capacity for this many strings of this width. */
  reserve(count: number, stride: number): void {
    if (stride !== this.stride || count * stride > this.bytes.length) this.reshape(count, stride)
  }

  /** Reallocates with capacity for this many strings of this width. */
  reshape(count: number, stride: number): void {
    const bytes = Buffer.alloc(bufferBytes(count * stride))
    if (stride === this.stride) bytes.set(this.bytes.subarray(0, this.length))
    else copyRows(this, 0, bytes, 0, stride)
    this.bytes = bytes
    this.stride = stride
  }

  /** Length of the longest string from an index on. */
  width(from: number): number {
    const { bytes, stride } = this
    let width = 1
    for (let end = (from + 1) * stride; end <= this.length; end += stride) {
      while (width < stride && bytes[end - stride + width] !== 0) width++
    }
    return width
  }
}

/** Copies a block's strings, from an index on, into rows of another stride, from a row on. */
function copyRows(block: Block, from: number, into: Uint8Array, row: number, stride: number): void {
  const { bytes, length } = block
  const least = Math.min(stride, block.stride)
  let to = row * stride
  for (let start = from * block.stride; start < length; start += block.stride) {
    for (let next = 0; next < least; next++) into[to + next] = bytes[start + next] as number
    into.fill(0, to + least, to + stride)
    to += stride
  }
}
