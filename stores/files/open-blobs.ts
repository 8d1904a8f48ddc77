// Keeps blobs open between downloads, so that a popular file is opened, measured and hashed once. The file descriptor
// shows whether the blob was removed; this is cached briefly, so a removal by this process takes effect at once, and
// one by another process very soon.

import type { OpenBlob } from '../contract/local-files.ts'
import { type Disk, type DiskFile, onDisk } from './disk.ts'
import { blobPathOf } from './layout.ts'
import { DIGEST_BYTES, digestOf, openOrNull } from './read.ts'

/** Milliseconds that a blob stays open after its last use. */
const KEPT_MS = 1_000
/** Maximum open blobs in the cache; beyond it each download opens its own descriptor. */
const MAX_CACHED_BLOBS = 64
/** Milliseconds to cache the check of the descriptor. A check costs a tenth of sending a small file. */
export const BELIEVED_MS = 250

interface Kept {
  readonly blob: string
  readonly file: DiskFile
  readonly size: number
  readonly sha256: string
  users: number
  askedMs: number
  /** Runs while the blob has no users. */
  timer: NodeJS.Timeout | null
}

export interface KeptBlobs {
  /** Null if there is no such blob. Later failures reject with StoreUnavailable. */
  open(blob: string): Promise<OpenBlob | null>
  /** Removes the blob from the cache; its descriptor is closed with its last user. */
  forget(blob: string): Promise<void>
  /** Closes unused blobs; the others are closed by their users. */
  close(): Promise<void>
}

/** `elapsedMs`: a monotonic clock. */
export function createKeptBlobs(disk: Disk, root: string, elapsedMs: () => number): KeptBlobs {
  const uses = new BlobUses()

  const opened = async (blob: string): Promise<Kept | null> => {
    const file = await openOrNull(disk, blobPathOf(root, blob).path)
    if (file === null) return null
    try {
      const askedMs = elapsedMs()
      const { size } = await file.facts()
      const sha256 = await digestOf(file, size)
      const one: Kept = { blob, file, size: size - DIGEST_BYTES, sha256, users: 1, askedMs, timer: null }
      uses.keep(one)
      return one
    } catch (failure) {
      await file.close()
      throw failure
    }
  }

  /** Null if it is not cached, or the file was replaced. */
  const again = async (blob: string): Promise<Kept | null> => {
    const one = uses.take(blob)
    if (one === null) return null
    const nowMs = elapsedMs()
    if (nowMs - one.askedMs < BELIEVED_MS) return one
    try {
      const { size, names } = await one.file.facts()
      one.askedMs = nowMs
      if (names > 0 && size === one.size + DIGEST_BYTES) return one
    } catch {
      // The next open of the file reports the error.
    }
    await uses.discard(one)
    return null
  }

  return {
    async open(blob) {
      const one = (await again(blob)) ?? (await opened(blob))
      return one === null ? null : openBlob(one, () => uses.release(one))
    },
    forget: (blob) => uses.forget(blob),
    close: () => uses.close(),
  }
}

function openBlob({ file, size, sha256 }: Kept, close: () => Promise<void>): OpenBlob {
  return {
    size,
    sha256,
    read: (into, position) => {
      const wanted = Math.max(0, Math.min(into.length, size - position))
      return onDisk(file.read(into.subarray(0, wanted), position))
    },
    close,
  }
}

/** Which blobs are kept open, and how many use each. A descriptor is closed when it is not kept and has no users. */
class BlobUses {
  readonly #kept = new Map<string, Kept>()

  keep(one: Kept): void {
    if (this.#kept.size < MAX_CACHED_BLOBS && !this.#kept.has(one.blob)) this.#kept.set(one.blob, one)
  }

  take(blob: string): Kept | null {
    const one = this.#kept.get(blob)
    if (one === undefined) return null
    stopTimer(one)
    one.users++
    return one
  }

  async release(one: Kept): Promise<void> {
    one.users--
    if (one.users > 0) return
    if (this.#kept.get(one.blob) !== one) return one.file.close()
    // Ignore errors: the descriptor was only read from.
    one.timer = setTimeout(() => this.#closeUnused(one).catch(() => {}), KEPT_MS)
    one.timer.unref()
  }

  /** Removes it from the cache and releases the caller's use. */
  async discard(one: Kept): Promise<void> {
    if (this.#kept.get(one.blob) === one) this.#kept.delete(one.blob)
    await this.release(one)
  }

  async forget(blob: string): Promise<void> {
    const one = this.#kept.get(blob)
    if (one !== undefined) await this.#closeUnused(one)
  }

  async close(): Promise<void> {
    for (const one of [...this.#kept.values()]) await this.#closeUnused(one)
  }

  async #closeUnused(one: Kept): Promise<void> {
    if (this.#kept.get(one.blob) === one) this.#kept.delete(one.blob)
    stopTimer(one)
    if (one.users === 0) await one.file.close()
  }
}

function stopTimer(one: Kept): void {
  if (one.timer !== null) clearTimeout(one.timer)
  one.timer = null
}
