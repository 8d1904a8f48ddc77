// A hash table from the hash of a key to the slot of an entry. It grows by one bucket at a time (linear hashing), so
// that no event waits for the whole table to be rehashed. Nothing is ever removed.

const MAX_BUCKET = 2_048
const SMALLEST = 8
const FULL = 0.8
const GROWTH = 1.5

/**
 * Pairs of a hash and a slot + 1; 0 marks a free pair. Hashes are stored because reading the rows to compute them would
 * touch memory all over.
 */
interface Bucket {
  pairs: Uint32Array
  count: number
}

export class SlotTable {
  readonly #buckets: Bucket[] = [emptyBucket()]
  /** Number of buckets when the current round of splitting began: a power of two. */
  #bucketsAtStart = 1
  #count = 0

  get bytes(): number {
    return this.#buckets.reduce((sum, { pairs }) => sum + pairs.byteLength, 0)
  }

  /** The slot with this hash that `isIt` accepts, or -1. */
  find(hash: number, isIt: (slot: number) => boolean): number {
    const { pairs } = this.#bucketOf(hash)
    for (let at = homeOf(hash, pairs.length); ; at = next(at, pairs.length)) {
      const entry = pairs[at + 1] as number
      if (entry === 0) return -1
      if (pairs[at] === hash && isIt(entry - 1)) return entry - 1
    }
  }

  /** Adds a slot that is not in the table. */
  add(hash: number, slot: number): void {
    put(this.#bucketOf(hash), hash, slot + 1)
    this.#count++
    if (this.#count > this.#buckets.length * MAX_BUCKET) this.#split()
  }

  /** Replaces a slot by another one with the same hash. */
  replace(hash: number, slot: number, by: number): void {
    const { pairs } = this.#bucketOf(hash)
    let at = homeOf(hash, pairs.length)
    while (pairs[at + 1] !== slot + 1) at = next(at, pairs.length)
    pairs[at + 1] = by + 1
  }

  #bucketOf(hash: number): Bucket {
    const wide = hash & (this.#bucketsAtStart * 2 - 1)
    return this.#buckets[wide < this.#buckets.length ? wide : hash & (this.#bucketsAtStart - 1)] as Bucket
  }

  #split(): void {
    const from = this.#buckets.length - this.#bucketsAtStart
    const { pairs } = this.#buckets[from] as Bucket
    this.#buckets[from] = emptyBucket()
    this.#buckets.push(emptyBucket())
    for (let at = 0; at < pairs.length; at += 2) {
      const entry = pairs[at + 1] as number
      if (entry !== 0) put(this.#bucketOf(pairs[at] as number), pairs[at] as number, entry)
    }
    if (this.#buckets.length === this.#bucketsAtStart * 2) this.#bucketsAtStart *= 2
  }
}

const emptyBucket = (): Bucket => ({ pairs: new Uint32Array(SMALLEST * 2), count: 0 })
/** The start of the probe sequence, from the upper bits of the hash; the lower bits select the bucket. */
const homeOf = (hash: number, length: number): number => Math.floor((hash / 2 ** 32) * (length / 2)) * 2
const next = (at: number, length: number): number => (at + 2 === length ? 0 : at + 2)

function put(bucket: Bucket, hash: number, entry: number): void {
  const { pairs } = bucket
  if ((bucket.count + 1) * 2 > pairs.length * FULL) {
    bucket.pairs = new Uint32Array(Math.ceil((pairs.length / 2) * GROWTH) * 2)
    for (let at = 0; at < pairs.length; at += 2) {
      if (pairs[at + 1] !== 0) lay(bucket.pairs, pairs[at] as number, pairs[at + 1] as number)
    }
  }
  lay(bucket.pairs, hash, entry)
  bucket.count++
}

function lay(pairs: Uint32Array, hash: number, entry: number): void {
  let at = homeOf(hash, pairs.length)
  while (pairs[at + 1] !== 0) at = next(at, pairs.length)
  pairs[at] = hash
  pairs[at + 1] = entry
}
