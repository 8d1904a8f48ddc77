// A growable list of integers below 2^32: four bytes each, in chunks, so that growing causes no pause.

import { bytesOfPieces, IN_PIECE, numberAt, PIECE, PIECE_BITS } from '../ranking/pieces.ts'

const SMALLEST = 64

export class Uint32List {
  length = 0
  readonly #pieces: Uint32Array[] = []

  get bytes(): number {
    return bytesOfPieces(this.#pieces)
  }

  at(index: number): number {
    return numberAt(this.#pieces, index)
  }

  set(index: number, value: number): void {
    ;(this.#pieces[index >>> PIECE_BITS] as Uint32Array)[index & IN_PIECE] = value
  }

  /** Sets an existing number, or appends it if `place` is the length. */
  put(index: number, value: number): void {
    if (index === this.length) this.push(value)
    else this.set(index, value)
  }

  /** Appends a number and returns its index. */
  push(value: number): number {
    const index = this.length++
    const last = index >>> PIECE_BITS
    const held = this.#pieces[last]
    // Only the first chunk starts small: most boards are small.
    if (held === undefined) this.#pieces.push(new Uint32Array(last === 0 ? SMALLEST : PIECE))
    else if (held.length === (index & IN_PIECE)) {
      const wider = new Uint32Array(held.length * 2)
      wider.set(held)
      this.#pieces[last] = wider
    }
    this.set(index, value)
    return index
  }
}
