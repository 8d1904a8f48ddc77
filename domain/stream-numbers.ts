// Numbers the streams of a log in the order in which they are met. Takes some 50 bytes per stream, because a log has
// millions of them.

/** 32-bit words of a key; a slot of a table has one more for its number. */
export const WORDS = 4
const SLOT = WORDS + 1
/** Tables that grow one by one: to grow one for all streams would block for a second. */
const TABLES = 256
const FIRST_SLOTS = 16
/** cyrb128 (bryc, public domain): https://github.com/bryc/code/blob/master/jshash/PRNGs.md. */
const START = [1779033703, 3144134277, 1013904242, 2773480762] as const
const MIX = [597399067, 2869860233, 951274213, 2716044179] as const

/**
 * Streams are distinguished by 128 bits of a hash of their names. The names consist of ids and digests that the server
 * makes, so nobody can choose two with the same hash.
 */
export class StreamNumbers {
  #count = 0
  readonly #tables = Array.from({ length: TABLES }, () => new HashTable())
  readonly #words = new Uint32Array(WORDS)

  /** From 0. A new stream gets the next number. */
  numberOf(stream: string): number {
    hashInto(this.#words, stream)
    const table = this.#tables[(this.#words[1] as number) % TABLES] as HashTable
    const number = table.numberOf(this.#words, this.#count + 1)
    if (number > this.#count) this.#count = number
    return number - 1
  }
}

/** Odd, so that no bit of a word is lost. */
const SLOT_MIX = [0x9e37_79b1, 0x85eb_ca6b, 0xc2b2_ae35, 0x27d4_eb2f] as const

/** Keys of 128 bits, each with a number from 1. Open addressing, at most three quarters full: 20 bytes per slot. */
export class HashTable {
  #slots = FIRST_SLOTS
  #table = new Uint32Array(FIRST_SLOTS * SLOT)
  #count = 0

  /** The number of a key, which is `next` if the key is new. */
  numberOf(words: Uint32Array, next: number): number {
    const at = this.#offsetOf(words, 0)
    const number = this.#table[at + WORDS] as number
    if (number !== 0) return number
    for (let n = 0; n < WORDS; n++) this.#table[at + n] = words[n] as number
    this.#table[at + WORDS] = next
    this.#count++
    if (this.#count * 4 > this.#slots * 3) this.#grow()
    return next
  }

  /** Offset of the slot with these words, or of the free slot for them. Ids of one import may share a word. */
  #offsetOf(words: Uint32Array, begin: number): number {
    const table = this.#table
    let mixed = 0
    for (let n = 0; n < WORDS; n++) mixed = Math.imul(mixed ^ (words[begin + n] as number), SLOT_MIX[n] as number)
    for (let slot = (mixed ^ (mixed >>> 15)) & (this.#slots - 1); ; slot = (slot + 1) & (this.#slots - 1)) {
      const at = slot * SLOT
      if (table[at + WORDS] === 0) return at
      let n = 0
      while (n < WORDS && table[at + n] === words[begin + n]) n++
      if (n === WORDS) return at
    }
  }

  #grow(): void {
    const before = this.#table
    this.#slots *= 2
    this.#table = new Uint32Array(this.#slots * SLOT)
    for (let at = 0; at < before.length; at += SLOT) {
      if (before[at + WORDS] === 0) continue
      const to = this.#offsetOf(before, at)
      for (let n = 0; n < SLOT; n++) this.#table[to + n] = before[at + n] as number
    }
  }
}

function hashInto(words: Uint32Array, text: string): void {
  let [a, b, c, d]: [number, number, number, number] = [...START]
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    a = b ^ Math.imul(a ^ code, MIX[0])
    b = c ^ Math.imul(b ^ code, MIX[1])
    c = d ^ Math.imul(c ^ code, MIX[2])
    d = a ^ Math.imul(d ^ code, MIX[3])
  }
  words[0] = Math.imul(c ^ (a >>> 18), MIX[0])
  words[1] = Math.imul(d ^ (b >>> 22), MIX[1])
  words[2] = Math.imul(a ^ (c >>> 17), MIX[2])
  words[3] = Math.imul(b ^ (d >>> 19), MIX[3])
}

/** Numbers per chunk of a list. */
const CHUNK = 1 << 16

/** A growing list with one number per stream; 0 where none was put. Takes 8 bytes per stream. */
export class NumberPerStream {
  readonly #chunks: Float64Array[] = []

  get(stream: number): number {
    return this.#chunks[Math.floor(stream / CHUNK)]?.[stream % CHUNK] ?? 0
  }

  /** The numbers of streams must be put in the order of the streams at first. */
  put(stream: number, value: number): void {
    const chunk = Math.floor(stream / CHUNK)
    if (chunk === this.#chunks.length) this.#chunks.push(new Float64Array(CHUNK))
    const values = this.#chunks[chunk]
    if (values !== undefined) values[stream % CHUNK] = value
  }
}
