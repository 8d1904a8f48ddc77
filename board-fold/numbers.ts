// A list of whole numbers below 2^32 that grows by pieces: four bytes each, and no pause as it grows.

import { bytesOfPieces, IN_PIECE, numberAt, PIECE, PIECE_BITS } from '../ranking/pieces.ts'

const SMALLEST = 64

export class Numbers {
  length = 0
  readonly #pieces: Uint32Array[] = []

  get bytes(): number {
    return bytesOfPieces(this.#pieces)
  }

  at(place: number): number {
    return numberAt(this.#pieces, place)
  }

  set(place: number, value: number): void {
    ;(this.#pieces[place >>> PIECE_BITS] as Uint32Array)[place & IN_PIECE] = value
  }

  /** Sets a number that is there, or adds the one after the last. */
  put(place: number, value: number): void {
    if (place === this.length) this.push(value)
    else this.set(place, value)
  }

  /** Gives its place. */
  push(value: number): number {
    const place = this.length++
    const last = place >>> PIECE_BITS
    const held = this.#pieces[last]
    // Only the first piece begins small: most boards are.
    if (held === undefined) this.#pieces.push(new Uint32Array(last === 0 ? SMALLEST : PIECE))
    else if (held.length === (place & IN_PIECE)) {
      const wider = new Uint32Array(held.length * 2)
      wider.set(held)
      this.#pieces[last] = wider
    }
    this.set(place, value)
    return place
  }
}
