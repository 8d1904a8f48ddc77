// Number lists split into chunks. A single array of a million numbers would pause the process for milliseconds when it
// is allocated or first touched.

/** Numbers per chunk; the last chunk may be shorter. */
export const CHUNK_BITS = 16
export const CHUNK_SIZE = 1 << CHUNK_BITS
export const CHUNK_MASK = CHUNK_SIZE - 1

export type Chunks<Numbers extends Uint32Array | Float64Array = Uint32Array> = readonly Numbers[]

/** Allocates this many zeros, one chunk per step, and touches their memory. */
export function* zeros(length: number): Generator<void, Uint32Array[]> {
  const chunks: Uint32Array[] = []
  for (let from = 0; from < length; from += CHUNK_SIZE) {
    chunks.push(new Uint32Array(Math.min(CHUNK_SIZE, length - from)).fill(0))
    yield
  }
  return chunks
}

/** Copies the first `count` numbers of `from` to index `to` of `into`. */
export function* copy(from: Chunks, count: number, into: Chunks, to: number): Generator<void> {
  for (let at = 0; at < count; ) {
    const [source, target] = [from[at >>> CHUNK_BITS] as Uint32Array, into[(to + at) >>> CHUNK_BITS] as Uint32Array]
    const [first, index] = [at & CHUNK_MASK, (to + at) & CHUNK_MASK]
    const length = Math.min(count - at, CHUNK_SIZE - first, CHUNK_SIZE - index)
    target.set(source.subarray(first, first + length), index)
    at += length
    yield
  }
}

/** Splits an array into chunks without copying. */
export function asChunks<Numbers extends Uint32Array | Float64Array>(numbers: Numbers): Chunks<Numbers> {
  const chunks = Array.from({ length: Math.ceil(numbers.length / CHUNK_SIZE) }, (_, chunk) =>
    numbers.subarray(chunk * CHUNK_SIZE, (chunk + 1) * CHUNK_SIZE),
  )
  return chunks as Numbers[]
}

export const lengthOf = (chunks: Chunks<Uint32Array | Float64Array>): number =>
  chunks.length === 0 ? 0 : (chunks.length - 1) * CHUNK_SIZE + (chunks.at(-1) as Uint32Array).length

export const bytesOfChunks = (chunks: Chunks): number => chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)

export const numberAt = (chunks: Chunks<Uint32Array | Float64Array>, at: number): number =>
  (chunks[at >>> CHUNK_BITS] as Uint32Array)[at & CHUNK_MASK] as number
