// Numbers in pieces: of a million in one array, the allocation alone, or the first look at its memory, would
// pause all others for milliseconds.

/** Numbers of a piece; of the last one as many as are left. */
export const PIECE_BITS = 16
export const PIECE = 1 << PIECE_BITS
export const IN_PIECE = PIECE - 1

export type Pieces<Numbers extends Uint32Array | Float64Array = Uint32Array> = readonly Numbers[]

/** So many zeros, a piece at each step, of memory that was looked at. */
export function* zeros(length: number): Generator<void, Uint32Array[]> {
  const pieces: Uint32Array[] = []
  for (let from = 0; from < length; from += PIECE) {
    pieces.push(new Uint32Array(Math.min(PIECE, length - from)).fill(0))
    yield
  }
  return pieces
}

/** Puts the first `count` numbers of some into others, from place `to` on. */
export function* copy(from: Pieces, count: number, into: Pieces, to: number): Generator<void> {
  for (let at = 0; at < count; ) {
    const [source, target] = [from[at >>> PIECE_BITS] as Uint32Array, into[(to + at) >>> PIECE_BITS] as Uint32Array]
    const [first, place] = [at & IN_PIECE, (to + at) & IN_PIECE]
    const length = Math.min(count - at, PIECE - first, PIECE - place)
    target.set(source.subarray(first, first + length), place)
    at += length
    yield
  }
}

/** The same numbers in pieces, without copying them. */
export function cut<Numbers extends Uint32Array | Float64Array>(numbers: Numbers): Pieces<Numbers> {
  const pieces = Array.from({ length: Math.ceil(numbers.length / PIECE) }, (_, piece) =>
    numbers.subarray(piece * PIECE, (piece + 1) * PIECE),
  )
  return pieces as Numbers[]
}

export const lengthOf = (pieces: Pieces<Uint32Array | Float64Array>): number =>
  pieces.length === 0 ? 0 : (pieces.length - 1) * PIECE + (pieces.at(-1) as Uint32Array).length

export const bytesOfPieces = (pieces: Pieces): number => pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)

export const numberAt = (pieces: Pieces<Uint32Array | Float64Array>, at: number): number =>
  (pieces[at >>> PIECE_BITS] as Uint32Array)[at & IN_PIECE] as number
