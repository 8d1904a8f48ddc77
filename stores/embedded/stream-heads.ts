// The last event of every stream of the log, in memory: it decides what may be appended, and how far a stream goes. It
// is made from the log itself, and compared with the log where it is used, so no other file can make the log wrong.
//
// A table with open addressing holds 9 bytes a slot: a seeded hash of the stream's name in 32 bits, and the sequence
// number of its last event. The log has the names. A stream whose hash another one has already is in a map, by its
// name.

import { randomBytes } from 'node:crypto'

/** Of a slot: the hash in 32 bits, the sequence number in 40. */
const SLOT_BYTES = 9
const SEED_BYTES = 4
const MIN_SLOTS = 1_024
/** A fuller table is doubled. */
const MAX_FILLED = 0.75
/** Above the lower 32 bits of a sequence number. */
const HIGH = 2 ** 32

export interface StoredHeads {
  readonly seed: number
  /** `SLOT_BYTES` for each slot: all hashes, then the lower parts of the sequence numbers, then the upper ones. */
  readonly slots: Buffer
  /** Sequence numbers of the last events of the streams in the map. */
  readonly shared: readonly number[]
}

interface HeadsOptions {
  readonly stored?: StoredHeads | null
  readonly streamAt: (sequence: number) => string | null
  readonly hashOf?: ((stream: string) => number) | undefined
}

/** A slot with sequence number 0 is empty. */
interface Slots {
  readonly hashes: Uint32Array
  readonly low: Uint32Array
  readonly high: Uint8Array
}

export class StreamHeads {
  readonly #seed: number
  readonly #hashOf: (stream: string) => number
  readonly #shared: Map<string, number>
  #slots: Slots
  #filled: number

  /**
   * `streamAt`: the stream of an event of the log. `hashOf`: instead of the seeded hash, for tests; 32 bits without a
   * sign. Throws RangeError if `stored` is none that `store` made, or of another log.
   */
  constructor({ stored = null, streamAt, hashOf }: HeadsOptions) {
    this.#seed = stored?.seed ?? randomBytes(SEED_BYTES).readUInt32LE(0)
    this.#hashOf = hashOf ?? ((stream) => seededHash(stream, this.#seed))
    this.#shared = new Map(stored?.shared.map((sequence) => [nameAt(sequence, streamAt), sequence]))
    this.#slots = stored === null ? emptySlots(MIN_SLOTS) : slotsOf(stored.slots)
    this.#filled = filledOf(this.#slots)
  }

  get slotCount(): number {
    return this.#slots.low.length
  }

  /** Adds the next event of the log. O(1). */
  add(stream: string, revision: number, sequence: number): void {
    if (this.#shared.has(stream)) {
      this.#shared.set(stream, sequence)
      return
    }
    const own = this.#hashOf(stream)
    const slot = this.#find(own)
    if (this.#isEmpty(slot)) {
      this.#put(slot, own, sequence)
      this.#filled += 1
      if (this.#filled > MAX_FILLED * this.slotCount) this.#double()
    } else if (revision === 0) this.#shared.set(stream, sequence)
    else this.#put(slot, own, sequence)
  }

  /**
   * The sequence number of the stream's last event, or of another stream's with the same hash; null if there is no such
   * stream. O(1).
   */
  sequenceOf(stream: string): number | null {
    if (this.#shared.size > 0) {
      const shared = this.#shared.get(stream)
      if (shared !== undefined) return shared
    }
    const slot = this.#find(this.#hashOf(stream))
    return this.#isEmpty(slot) ? null : sequenceAt(this.#slots, slot)
  }

  /** A copy of its content. Blocks for some milliseconds for a million streams. */
  store(): StoredHeads {
    const { hashes, low, high } = this.#slots
    const slots = Buffer.concat(
      [hashes, low, high].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
    )
    return { seed: this.#seed, slots, shared: [...this.#shared.values()] }
  }

  /** The slot of the hash, or the empty one where it belongs. */
  #find(own: number): number {
    const { hashes } = this.#slots
    const mask = hashes.length - 1
    let slot = own & mask
    while (hashes[slot] !== own && !this.#isEmpty(slot)) slot = (slot + 1) & mask
    return slot
  }

  #isEmpty(slot: number): boolean {
    return this.#slots.low[slot] === 0 && this.#slots.high[slot] === 0
  }

  #put(slot: number, own: number, sequence: number): void {
    const { hashes, low, high } = this.#slots
    hashes[slot] = own
    low[slot] = sequence % HIGH
    high[slot] = Math.floor(sequence / HIGH)
  }

  #double(): void {
    const before = this.#slots
    this.#slots = emptySlots(2 * before.hashes.length)
    for (const [slot, own] of before.hashes.entries()) {
      const sequence = sequenceAt(before, slot)
      if (sequence > 0) this.#put(this.#find(own), own, sequence)
    }
  }
}

/**
 * 32 bits: FNV-1a over the characters from a random beginning, so that nobody can choose names that share a hash, and
 * the final mix of MurmurHash3. Names that do share one only take more memory. A cryptographic hash takes ten times as
 * long.
 */
function seededHash(text: string, seed: number): number {
  let mixed = seed
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function filledOf({ low, high }: Slots): number {
  let filled = 0
  for (let slot = 0; slot < low.length; slot += 1) if (low[slot] !== 0 || high[slot] !== 0) filled += 1
  return filled
}

/** 0 if the slot is empty. */
const sequenceAt = ({ low, high }: Slots, slot: number): number => (high[slot] as number) * HIGH + (low[slot] as number)

function nameAt(sequence: number, streamAt: HeadsOptions['streamAt']): string {
  const stream = streamAt(sequence)
  if (stream === null) throw new RangeError(`The log has no event ${sequence}`)
  return stream
}

const emptySlots = (count: number): Slots => slotsOf(Buffer.alloc(SLOT_BYTES * count))

function slotsOf(bytes: Buffer): Slots {
  const count = bytes.length / SLOT_BYTES
  if (count < MIN_SLOTS || !Number.isInteger(Math.log2(count))) throw new RangeError(`${count} slots`)
  // Copies, which are aligned.
  const part = (from: number, to: number) => Uint8Array.from(bytes.subarray(from * count, to * count))
  return { hashes: new Uint32Array(part(0, 4).buffer), low: new Uint32Array(part(4, 8).buffer), high: part(8, 9) }
}
