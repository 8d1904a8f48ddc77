// A list of whole numbers below 2^32 that grows by pieces: four bytes each, and no pause as it grows.

const PIECE_BITS = 14
const PIECE = 1 << PIECE_BITS
const SMALLEST = 64

export class Numbers {
  length = 0
  readonly #pieces: Uint32Array[] = []

  get bytes(): number {
    return this.#pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  at(place: number): number {
    return (this.#pieces[place >>> PIECE_BITS] as Uint32Array)[place & (PIECE - 1)] as number
  }

  set(place: number, value: number): void {
    ;(this.#pieces[place >>> PIECE_BITS] as Uint32Array)[place & (PIECE - 1)] = value
  }

  /** Gives its place. */
  push(value: number): number {
    const place = this.length++
    const last = place >>> PIECE_BITS
    const held = this.#pieces[last]
    // Only the first piece begins small: most boards are.
    if (held === undefined) this.#pieces.push(new Uint32Array(last === 0 ? SMALLEST : PIECE))
    else if (held.length === (place & (PIECE - 1))) {
      const wider = new Uint32Array(held.length * 2)
      wider.set(held)
      this.#pieces[last] = wider
    }
    this.set(place, value)
    return place
  }
}
