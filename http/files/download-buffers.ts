// Read buffers for downloads, shared by all of them. Large buffers are cheapest per byte, and allocating one costs as
// much as filling it, so a fixed number is reused and caches the ranges read last: a file that many callers fetch is
// read once. A download that finds no free large buffer uses small ones, without a bound on their number.

import type { OpenBlob } from '../../stores/contract/local-files.ts'
import type { ByteRange } from './ranges.ts'

const LARGE_BYTES = 1_048_576
const MAX_LARGE_BUFFERS = 32
const SMALL_BYTES = 65_536
const MAX_FREE_SMALL_BUFFERS = 64

export interface BlobChunk {
  readonly bytes: Buffer
  /** Call once the operating system has taken all of it. */
  release(): void
  /** Call instead of `release` if the operating system may still be reading the buffer: it is never reused. */
  drop(): void
}

export interface DownloadBuffers {
  /**
   * Reads from the start of the range: at least one byte, at most the whole range. Rejects when reading fails. `name`
   * identifies the blob's bytes for reuse.
   */
  take(name: string, blob: OpenBlob, part: ByteRange): Promise<BlobChunk>
}

interface Large {
  readonly buffer: Buffer
  readonly key: string
  users: number
  isDropped: boolean
  readonly filling: Promise<unknown>
}

export function createDownloadBuffers(): DownloadBuffers {
  const large = new LargeBuffers()
  const small = new SmallBuffers()
  return {
    async take(name, blob, { start, end }) {
      // Only aligned, whole 1 MiB ranges are shared: other downloads read the same ones.
      const whole = Math.min(start + LARGE_BYTES, blob.size)
      const isLarge = start % LARGE_BYTES === 0 && end >= whole && whole - start > SMALL_BYTES
      const one = isLarge ? large.find(`${name} ${start}`, blob, { start, end: whole }) : null
      if (one === null) return small.take(blob, { start, end })
      one.users++
      await one.filling
      return {
        bytes: one.buffer.subarray(0, whole - start),
        release() {
          one.users--
        },
        drop: () => large.lose(one),
      }
    },
  }
}

class LargeBuffers {
  /** Least recently used first. */
  readonly #byKey = new Map<string, Large>()
  #made = 0

  /** The buffer with this range, which may still be filling; null if none is free. */
  find(key: string, blob: OpenBlob, part: ByteRange): Large | null {
    const known = this.#byKey.get(key)
    if (known !== undefined) {
      this.#byKey.delete(key)
      this.#byKey.set(key, known)
      return known
    }
    const buffer = this.#freeBuffer()
    if (buffer === null) return null
    const filling = filled(buffer.subarray(0, part.end - part.start), blob, part.start)
    const made: Large = { buffer, key, users: 0, isDropped: false, filling }
    this.#byKey.set(key, made)
    filling.catch(() => this.lose(made))
    return made
  }

  /** Stops sharing a buffer and never refills it, as its users may still read from it. */
  lose(one: Large): void {
    if (one.isDropped) return
    one.isDropped = true
    this.#byKey.delete(one.key)
    this.#made--
  }

  #freeBuffer(): Buffer | null {
    if (this.#made < MAX_LARGE_BUFFERS) {
      this.#made++
      return Buffer.allocUnsafeSlow(LARGE_BYTES)
    }
    for (const one of this.#byKey.values()) {
      if (one.users > 0) continue
      this.#byKey.delete(one.key)
      return one.buffer
    }
    return null
  }
}

class SmallBuffers {
  readonly #free: Buffer[] = []

  async take(blob: OpenBlob, { start, end }: ByteRange): Promise<BlobChunk> {
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(SMALL_BYTES)
    const release = () => {
      if (this.#free.length < MAX_FREE_SMALL_BUFFERS) this.#free.push(buffer)
    }
    try {
      const bytes = buffer.subarray(0, Math.min(SMALL_BYTES, end - start, LARGE_BYTES - (start % LARGE_BYTES)))
      await filled(bytes, blob, start)
      return { bytes, release, drop() {} }
    } catch (failure) {
      release()
      throw failure
    }
  }
}

async function filled(into: Buffer, blob: OpenBlob, at: number): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const length = await blob.read(done === 0 ? into : into.subarray(done), at + done)
    if (length === 0) throw new Error('a blob ended before its end')
    done += length
  }
}
