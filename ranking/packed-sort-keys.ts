// An immutable list of sort keys in rank order, packed in bytes. Finds a sort key by index, by text, and by the id at
// its end.

import { bytesHash, mixed, textHash } from '../domain/hash.ts'
import { bytesOfChunks, CHUNK_BITS, CHUNK_MASK, CHUNK_SIZE, type Chunks, lengthOf, numberAt, zeros } from './chunks.ts'
import { idInBytes, idOfSortKey, timeInBytes } from './sort-key.ts'

/** The sort keys of a segment are stored in rows of one width; neighbours in rank have similar lengths. */
const SEGMENT = 1_024
const SEGMENT_BITS = 10
const MAX_SORT_KEY_LENGTH = 512
/** Slots of the id hash table per sort key. */
const ROOM = 4 / 3
const ITEMS_PER_YIELD = 256
/**
 * Segments share allocations: each allocation outside the heap may trigger a garbage collector step of milliseconds.
 */
const SLAB_BYTES = 2 ** 20
const FIRST_SLAB_BYTES = 2 ** 16

interface Segment {
  readonly bytes: Buffer
  readonly width: number
  /** The first sort key. */
  readonly first: string
}

export class PackedSortKeys {
  readonly length: number
  readonly #segments: readonly Segment[]
  /** Index + 1 by the hash of the id, combined with the upper bits of the hash that are free; 0 marks a free slot. */
  readonly #table: Chunks
  readonly #room: number
  readonly #indexBits: number

  constructor(length: number, segments: readonly Segment[], table: Chunks) {
    this.length = length
    this.#segments = segments
    this.#table = table
    this.#room = lengthOf(table)
    this.#indexBits = indexBitsFor(length)
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes.length, bytesOfChunks(this.#table))
  }

  text(index: number): string {
    const { bytes, width } = this.#segmentOf(index)
    const start = (index & (SEGMENT - 1)) * width
    return bytes.toString('latin1', start, endOf(bytes, start, width))
  }

  /** The number of sort keys that sort before this one. */
  before(sortKey: string): number {
    let low = 0
    let high = this.#segments.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#segments[middle] as Segment).first < sortKey) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    high = Math.min(this.length, low << SEGMENT_BITS)
    low = (low - 1) << SEGMENT_BITS
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.text(middle) < sortKey) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Index of the sort key with this id, or -1. */
  indexOf(id: string): number {
    const table = this.#table
    const hash = mixed(textHash(id))
    const bits = this.#indexBits
    const tag = (hash << bits) >>> bits
    for (let at = homeOf(hash, this.#room); ; at = at + 1 === this.#room ? 0 : at + 1) {
      const stored = numberAt(table, at)
      if (stored === 0) return -1
      const index = (stored & (2 ** bits - 1)) - 1
      if (stored >>> bits === tag && this.#hasId(index, id)) return index
    }
  }

  #hasId(index: number, id: string): boolean {
    const { bytes, width } = this.#segmentOf(index)
    const start = (index & (SEGMENT - 1)) * width
    const idAt = idInBytes(bytes, start)
    const end = idAt + id.length
    if (end > start + width || (end < start + width && bytes[end] !== 0)) return false
    for (let at = 0; at < id.length; at++) if (bytes[idAt + at] !== id.charCodeAt(at)) return false
    return true
  }

  #segmentOf(index: number): Segment {
    return this.#segments[index >>> SEGMENT_BITS] as Segment
  }

  /** Adds a sort key to a packer. */
  copy(index: number, into: SortKeyPacker): void {
    const { bytes, width } = this.#segmentOf(index)
    const start = (index & (SEGMENT - 1)) * width
    into.add(bytes, start, endOf(bytes, start, width))
  }
}

/** The packed sort keys with their times and duplicates. */
export interface Packed {
  readonly sortKeys: PackedSortKeys
  /** The time of each sort key, by index, in Unix milliseconds. */
  readonly times: Chunks<Float64Array>
  /** Indexes of sort keys whose id an earlier sort key also has. */
  readonly doubles: readonly number[]
}

/**
 * Packs sort keys that are added in rank order.
 * @fields The buffers of one pass over every sort key of a board: an object between them would be read for each byte.
 */
export class SortKeyPacker {
  #length = 0
  readonly #segments: Segment[] = []
  readonly #times: Float64Array[] = []
  readonly #hashes: Uint32Array[] = []
  /** The rows of the segment being filled, without gaps, and the end of each. */
  readonly #rows = Buffer.alloc(SEGMENT * MAX_SORT_KEY_LENGTH)
  readonly #ends = new Uint32Array(SEGMENT + 1)
  readonly #text = Buffer.alloc(MAX_SORT_KEY_LENGTH)
  #slab = Buffer.alloc(0)
  #slabUsed = 0

  addText(sortKey: string): void {
    this.add(this.#text, 0, this.#text.write(sortKey, 'latin1'))
  }

  add(bytes: Buffer, start: number, end: number): void {
    const row = this.#length & (SEGMENT - 1)
    const from = this.#ends[row] as number
    copyBytes(bytes, start, end, this.#rows, from)
    this.#ends[row + 1] = from + end - start
    const inChunk = this.#length & CHUNK_MASK
    if (inChunk === 0) {
      this.#times.push(new Float64Array(CHUNK_SIZE))
      this.#hashes.push(new Uint32Array(CHUNK_SIZE))
    }
    const idAt = idInBytes(bytes, start)
    const chunk = this.#length >>> CHUNK_BITS
    ;(this.#times[chunk] as Float64Array)[inChunk] = timeInBytes(bytes, idAt)
    ;(this.#hashes[chunk] as Uint32Array)[inChunk] = mixed(bytesHash(bytes, idAt, end))
    this.#length++
    if (row === SEGMENT - 1) this.#closeSegment(SEGMENT)
  }

  #closeSegment(count: number): void {
    const ends = this.#ends
    let width = 0
    for (let row = 0; row < count; row++) width = Math.max(width, (ends[row + 1] as number) - (ends[row] as number))
    const bytes = this.#room(width * count)
    for (let row = 0; row < count; row++) {
      copyBytes(this.#rows, ends[row] as number, ends[row + 1] as number, bytes, row * width)
    }
    this.#segments.push({ bytes, width, first: this.#rows.toString('latin1', 0, ends[1] as number) })
  }

  #room(bytes: number): Buffer {
    if (this.#slabUsed + bytes > this.#slab.length) {
      const least = Math.max(bytes, FIRST_SLAB_BYTES)
      this.#slab = Buffer.alloc(Math.max(least, Math.min(SLAB_BYTES, 2 * this.#slab.length)))
      this.#slabUsed = 0
    }
    this.#slabUsed += bytes
    return this.#slab.subarray(this.#slabUsed - bytes, this.#slabUsed)
  }

  *finish(): Generator<void, Packed> {
    const length = this.#length
    if ((length & (SEGMENT - 1)) !== 0) this.#closeSegment(length & (SEGMENT - 1))
    const times = this.#times.map((chunk, at) => chunk.subarray(0, Math.min(CHUNK_SIZE, length - at * CHUNK_SIZE)))
    const room = Math.ceil((length + 1) * ROOM)
    const table = yield* zeros(room)
    const sortKeys = new PackedSortKeys(length, this.#segments, table)
    const doubles: number[] = []
    const bits = indexBitsFor(length)
    for (let index = 0; index < length; index++) {
      const hash = numberAt(this.#hashes, index)
      const stored = ((hash << bits) | (index + 1)) >>> 0
      let at = homeOf(hash, room)
      let isDouble = false
      for (let other = numberAt(table, at); other !== 0 && !isDouble; other = numberAt(table, at)) {
        const mayBe = other >>> bits === stored >>> bits
        if (mayBe && isSameId(sortKeys, index, (other & (2 ** bits - 1)) - 1)) isDouble = true
        if (!isDouble) at = at + 1 === room ? 0 : at + 1
      }
      if (isDouble) doubles.push(index)
      else (table[at >>> CHUNK_BITS] as Uint32Array)[at & CHUNK_MASK] = stored
      if (index % ITEMS_PER_YIELD === 0) yield
    }
    return { sortKeys, times, doubles }
  }
}

const isSameId = (sortKeys: PackedSortKeys, one: number, other: number): boolean =>
  idOfSortKey(sortKeys.text(one)) === idOfSortKey(sortKeys.text(other))

/** Bits that index + 1 needs in the table. The rest of 32 is for the hash. */
const indexBitsFor = (length: number): number => 32 - Math.clz32(length)

/** Faster than Buffer.copy for so few bytes. */
function copyBytes(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
  for (let next = start, to = at; next < end; next++, to++) into[to] = from[next] as number
}

function endOf(bytes: Uint8Array, start: number, width: number): number {
  let end = start + width
  while (end > start && bytes[end - 1] === 0) end--
  return end
}

/** The start of the probe sequence for a hash in a table of this size. */
const homeOf = (hash: number, length: number): number => Math.floor((hash / 2 ** 32) * length)
