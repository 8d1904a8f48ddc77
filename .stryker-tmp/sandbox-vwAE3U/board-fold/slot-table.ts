// A hash table from the hash of a key to the slot of an entry. It grows by one bucket at a time (linear hashing), so
// that no event waits for the whole table to be rehashed. Nothing is ever removed.

const MAX_PART = 2_048
const SMALLEST = 8
const FULL = 0.8
const GROWTH = 1.5

/**
 * Pairs of a hash and a slot + 1; 0 marks a free pair. Hashes are stored because reading the rows to compute them would
 * touch memory all over.
 */
interface Part {
  pairs: Uint32Array
  count: number
}

export class SlotTable {
  readonly #parts: Part[] = [emptyPart()]
  /** Number of parts before the current round of splitting: a power of two. */
  #round = 1
  #count = 0

  get bytes(): number {
    return this.#parts.reduce((sum, { pairs }) => sum + pairs.byteLength, 0)
  }

  /** The slot with this hash that `isIt` accepts, or -1. */
  find(hash: number, isIt: (slot: number) => boolean): number {
    const { pairs } = this.#partOf(hash)
    for (let at = homeOf(hash, pairs.length); ; at = next(at, pairs.length)) {
      const held = pairs[at + 1] as number
      if (held === 0) return -1
      if (pairs[at] === hash && isIt(held - 1)) return held - 1
    }
  }

  /** Adds a slot that is not in the table. */
  add(hash: number, slot: number): void {
    put(this.#partOf(hash), hash, slot + 1)
    this.#count++
    if (this.#count > this.#parts.length * MAX_PART) this.#split()
  }

  /** Replaces a slot by another one with the same hash. */
  replace(hash: number, slot: number, by: number): void {
    const { pairs } = this.#partOf(hash)
    let at = homeOf(hash, pairs.length)
    while (pairs[at + 1] !== slot + 1) at = next(at, pairs.length)
    pairs[at + 1] = by + 1
  }

  #partOf(hash: number): Part {
    const wide = hash & (this.#round * 2 - 1)
    return this.#parts[wide < this.#parts.length ? wide : hash & (this.#round - 1)] as Part
  }

  #split(): void {
    const from = this.#parts.length - this.#round
    const { pairs } = this.#parts[from] as Part
    this.#parts[from] = emptyPart()
    this.#parts.push(emptyPart())
    for (let at = 0; at < pairs.length; at += 2) {
      const held = pairs[at + 1] as number
      if (held !== 0) put(this.#partOf(pairs[at] as number), pairs[at] as number, held)
    }
    if (this.#parts.length === this.#round * 2) this.#round *= 2
  }
}

const emptyPart = (): Part => ({ pairs: new Uint32Array(SMALLEST * 2), count: 0 })
/** The start of the probe sequence, from the upper bits of the hash; the lower bits select the part. */
const homeOf = (hash: number, length: number): number => Math.floor((hash / 2 ** 32) * (length / 2)) * 2
const next = (at: number, length: number): number => (at + 2 === length ? 0 : at + 2)

function put(part: Part, hash: number, held: number): void {
  const { pairs } = part
  if ((part.count + 1) * 2 > pairs.length * FULL) {
    part.pairs = new Uint32Array(Math.ceil((pairs.length / 2) * GROWTH) * 2)
    for (let at = 0; at < pairs.length; at += 2) {
      if (pairs[at + 1] !== 0) lay(part.pairs, pairs[at] as number, pairs[at + 1] as number)
    }
  }
  lay(part.pairs, hash, held)
  part.count++
}

function lay(pairs: Uint32Array, hash: number, held: number): void {
  let at = homeOf(hash, pairs.length)
  while (pairs[at + 1] !== 0) at = next(at, pairs.length)
  pairs[at] = hash
  pairs[at + 1] = held
}
