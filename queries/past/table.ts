// Finds the slot of an entry by a hash of what it is looked for by. It grows by one part at a time (linear hashing), so that
// no event waits for all of it to be laid out anew; nothing is ever taken out.

const PART_MOST = 2_048
const SMALLEST = 8
const FULL = 0.8
const GROWTH = 1.5

interface Part {
  /** Slots and one more; 0 where there is none. */
  places: Uint32Array
  count: number
}

export class SlotTable {
  readonly #hashOf: (slot: number) => number
  #parts: Part[] = [emptyPart()]
  /** How many parts there were before the present round of splitting began: a power of two. */
  #round = 1
  #count = 0

  /** `hashOf` tells of a slot that is here what it was put in by. */
  constructor(hashOf: (slot: number) => number) {
    this.#hashOf = hashOf
  }

  get bytes(): number {
    return this.#parts.reduce((sum, { places }) => sum + places.byteLength, 0)
  }

  /** The slot of this hash that is the one, or -1. */
  find(hash: number, isIt: (slot: number) => boolean): number {
    const { places } = this.#partOf(hash)
    for (let at = homeOf(hash, places.length); ; at = next(at, places.length)) {
      const held = places[at] as number
      if (held === 0) return -1
      if (isIt(held - 1)) return held - 1
    }
  }

  /** Puts a slot that was not here. */
  add(hash: number, slot: number): void {
    put(this.#partOf(hash), hash, slot, this.#hashOf)
    this.#count++
    if (this.#count > this.#parts.length * PART_MOST) this.#split()
  }

  /** Puts another slot of the same hash in the place of one that is here. */
  replace(hash: number, slot: number, by: number): void {
    const { places } = this.#partOf(hash)
    let at = homeOf(hash, places.length)
    while (places[at] !== slot + 1) at = next(at, places.length)
    places[at] = by + 1
  }

  #partOf(hash: number): Part {
    const wide = hash & (this.#round * 2 - 1)
    return this.#parts[wide < this.#parts.length ? wide : hash & (this.#round - 1)] as Part
  }

  #split(): void {
    const from = this.#parts.length - this.#round
    const split = this.#parts[from] as Part
    this.#parts[from] = emptyPart()
    this.#parts.push(emptyPart())
    for (const held of split.places) {
      if (held === 0) continue
      const hash = this.#hashOf(held - 1)
      put(this.#partOf(hash), hash, held - 1, this.#hashOf)
    }
    if (this.#parts.length === this.#round * 2) this.#round *= 2
  }
}

const emptyPart = (): Part => ({ places: new Uint32Array(SMALLEST), count: 0 })
/** By its upper bits; the lower ones tell the part. */
const homeOf = (hash: number, length: number): number => Math.floor((hash / 2 ** 32) * length)
const next = (at: number, length: number): number => (at + 1 === length ? 0 : at + 1)

function put(part: Part, hash: number, slot: number, hashOf: (slot: number) => number): void {
  if (part.count + 1 > part.places.length * FULL) {
    const held = part.places
    part.places = new Uint32Array(Math.ceil(held.length * GROWTH))
    for (const one of held) if (one !== 0) lay(part.places, hashOf(one - 1), one - 1)
  }
  lay(part.places, hash, slot)
  part.count++
}

function lay(places: Uint32Array, hash: number, slot: number): void {
  let at = homeOf(hash, places.length)
  while (places[at] !== 0) at = next(at, places.length)
  places[at] = slot + 1
}
