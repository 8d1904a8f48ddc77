// Members in rank order that stay as they are: packed in bytes, found by place, by text,
// and by the id that they end with.

import { bytesHash, mixed, textHash } from '../domain/hash.ts'
import { idInBytes, idOfMember, timeInBytes } from './member.ts'
import { bytesOfPieces, IN_PIECE, lengthOf, numberAt, PIECE, PIECE_BITS, type Pieces, zeros } from './pieces.ts'

/** A segment stores members in rows of one width; neighbours in rank have similar lengths. */
const SEGMENT = 1_024
const SEGMENT_BITS = 10
const MAX_MEMBER_LENGTH = 512
/** Places of the table of ids, a member. */
const ROOM = 4 / 3
const SLICE = 256
/**
 * Segments share what is allocated: each allocation beside the heap may make the collector take a step of milliseconds.
 */
const SLAB_BYTES = 2 ** 20
const FIRST_SLAB_BYTES = 2 ** 16

interface Segment {
  readonly bytes: Buffer
  readonly width: number
  /** Its first member. */
  readonly first: string
}

export class PackedMembers {
  readonly length: number
  readonly #segments: readonly Segment[]
  /** Places by the hash of their id, with what bits are left over of the hash above them; 0 where there is none. */
  readonly #table: Pieces
  readonly #room: number
  readonly #placeBits: number

  constructor(length: number, segments: readonly Segment[], table: Pieces) {
    this.length = length
    this.#segments = segments
    this.#table = table
    this.#room = lengthOf(table)
    this.#placeBits = placeBitsFor(length)
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes.length, bytesOfPieces(this.#table))
  }

  text(place: number): string {
    const { bytes, width } = this.#segmentOf(place)
    const start = (place & (SEGMENT - 1)) * width
    return bytes.toString('latin1', start, endOf(bytes, start, width))
  }

  /** How many members come before this one. */
  before(member: string): number {
    let low = 0
    let high = this.#segments.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#segments[middle] as Segment).first < member) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    high = Math.min(this.length, low << SEGMENT_BITS)
    low = (low - 1) << SEGMENT_BITS
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.text(middle) < member) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Place of the member with this id, or -1. */
  placeOf(id: string): number {
    const table = this.#table
    const hash = mixed(textHash(id))
    const bits = this.#placeBits
    const tag = (hash << bits) >>> bits
    for (let at = homeOf(hash, this.#room); ; at = at + 1 === this.#room ? 0 : at + 1) {
      const held = numberAt(table, at)
      if (held === 0) return -1
      const place = (held & (2 ** bits - 1)) - 1
      if (held >>> bits === tag && this.#hasId(place, id)) return place
    }
  }

  #hasId(place: number, id: string): boolean {
    const { bytes, width } = this.#segmentOf(place)
    const start = (place & (SEGMENT - 1)) * width
    const idAt = idInBytes(bytes, start)
    const end = idAt + id.length
    if (end > start + width || (end < start + width && bytes[end] !== 0)) return false
    for (let at = 0; at < id.length; at++) if (bytes[idAt + at] !== id.charCodeAt(at)) return false
    return true
  }

  #segmentOf(place: number): Segment {
    return this.#segments[place >>> SEGMENT_BITS] as Segment
  }

  /** Adds one of these to others that are being packed. */
  copy(place: number, into: MemberPacker): void {
    const { bytes, width } = this.#segmentOf(place)
    const start = (place & (SEGMENT - 1)) * width
    into.add(bytes, start, endOf(bytes, start, width))
  }
}

/** What was packed, and what else is known by then. */
export interface Packed {
  readonly members: PackedMembers
  /** Of each member, by place; Unix milliseconds. */
  readonly times: Pieces<Float64Array>
  /** Places of members whose id another one before them has as well. */
  readonly doubles: readonly number[]
}

/**
 * Packs members that come in rank order.
 * @fields The buffers of one pass over every member of a board: an object between them would be read for each byte.
 */
export class MemberPacker {
  #length = 0
  readonly #segments: Segment[] = []
  readonly #times: Float64Array[] = []
  readonly #hashes: Uint32Array[] = []
  /** The rows of the segment that is being filled, one behind the other, and where each ends. */
  readonly #rows = Buffer.alloc(SEGMENT * MAX_MEMBER_LENGTH)
  readonly #ends = new Uint32Array(SEGMENT + 1)
  readonly #text = Buffer.alloc(MAX_MEMBER_LENGTH)
  #slab = Buffer.alloc(0)
  #slabUsed = 0

  addText(member: string): void {
    this.add(this.#text, 0, this.#text.write(member, 'latin1'))
  }

  add(bytes: Buffer, start: number, end: number): void {
    const row = this.#length & (SEGMENT - 1)
    const from = this.#ends[row] as number
    copyBytes(bytes, start, end, this.#rows, from)
    this.#ends[row + 1] = from + end - start
    const inPiece = this.#length & IN_PIECE
    if (inPiece === 0) {
      this.#times.push(new Float64Array(PIECE))
      this.#hashes.push(new Uint32Array(PIECE))
    }
    const idAt = idInBytes(bytes, start)
    const piece = this.#length >>> PIECE_BITS
    ;(this.#times[piece] as Float64Array)[inPiece] = timeInBytes(bytes, idAt)
    ;(this.#hashes[piece] as Uint32Array)[inPiece] = mixed(bytesHash(bytes, idAt, end))
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
    const times = this.#times.map((piece, at) => piece.subarray(0, Math.min(PIECE, length - at * PIECE)))
    const room = Math.ceil((length + 1) * ROOM)
    const table = yield* zeros(room)
    const members = new PackedMembers(length, this.#segments, table)
    const doubles: number[] = []
    const bits = placeBitsFor(length)
    for (let place = 0; place < length; place++) {
      const hash = numberAt(this.#hashes, place)
      const held = ((hash << bits) | (place + 1)) >>> 0
      let at = homeOf(hash, room)
      let isDouble = false
      for (let other = numberAt(table, at); other !== 0 && !isDouble; other = numberAt(table, at)) {
        const mayBe = other >>> bits === held >>> bits
        if (mayBe && isSameId(members, place, (other & (2 ** bits - 1)) - 1)) isDouble = true
        if (!isDouble) at = at + 1 === room ? 0 : at + 1
      }
      if (isDouble) doubles.push(place)
      else (table[at >>> PIECE_BITS] as Uint32Array)[at & IN_PIECE] = held
      if (place % SLICE === 0) yield
    }
    return { members, times, doubles }
  }
}

const isSameId = (members: PackedMembers, one: number, other: number): boolean =>
  idOfMember(members.text(one)) === idOfMember(members.text(other))

/** Bits that a place and one more take in the table. What is left of 32 is for the hash. */
const placeBitsFor = (length: number): number => 32 - Math.clz32(length)

/** Faster than a call of Buffer's for so few. */
function copyBytes(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
  for (let next = start, to = at; next < end; next++, to++) into[to] = from[next] as number
}

function endOf(bytes: Uint8Array, start: number, width: number): number {
  let end = start + width
  while (end > start && bytes[end - 1] === 0) end--
  return end
}

/** Where in a table of so many places the search for a hash begins. */
const homeOf = (hash: number, length: number): number => Math.floor((hash / 2 ** 32) * length)
