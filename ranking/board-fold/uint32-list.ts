// A growable list of integers below 2^32: four bytes each, in chunks, so that growing causes no pause.

import { bytesOfChunks, CHUNK_BITS, CHUNK_MASK, CHUNK_SIZE, numberAt } from '../chunks.ts'

const SMALLEST = 64

export class Uint32List {
  length = 0
  readonly #chunks: Uint32Array[] = []

  get bytes(): number {
    return bytesOfChunks(this.#chunks)
  }

  at(index: number): number {
    return numberAt(this.#chunks, index)
  }

  set(index: number, value: number): void {
    ;(this.#chunks[index >>> CHUNK_BITS] as Uint32Array)[index & CHUNK_MASK] = value
  }

  /** Sets an existing number, or appends it if `index` is the length. */
  put(index: number, value: number): void {
    if (index === this.length) this.push(value)
    else this.set(index, value)
  }

  /** Appends a number and returns its index. */
  push(value: number): number {
    const index = this.length++
    const last = index >>> CHUNK_BITS
    const chunk = this.#chunks[last]
    // Only the first chunk starts small: most boards are small.
    if (chunk === undefined) this.#chunks.push(new Uint32Array(last === 0 ? SMALLEST : CHUNK_SIZE))
    else if (chunk.length === (index & CHUNK_MASK)) {
      const wider = new Uint32Array(chunk.length * 2)
      wider.set(chunk)
      this.#chunks[last] = wider
    }
    this.set(index, value)
    return index
  }
}
