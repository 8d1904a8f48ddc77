// Blobs held open between downloads: a file that many fetch is opened, measured and asked for its checksum once.
// Whether it is still there is asked of the descriptor, and believed for a moment: what this process removes is gone at
// once, and what another one does very soon.

import type { OpenBlob } from '../contract/files-door.ts'
import type { Disk, DiskFile } from './disk.ts'
import { onDisk } from './faults.ts'
import { placeOf } from './layout.ts'
import { DIGEST_BYTES, digestOf, openOrNull } from './read.ts'

/** Held open for so long after the last use. */
const KEPT_MS = 1_000
/** No more than so many are kept; beyond that each download opens its own. */
const KEPT_MOST = 64
/** What the descriptor said is believed for so long. Asking costs a tenth of sending a small file. */
export const BELIEVED_MS = 250

interface Kept {
  readonly blob: string
  readonly file: DiskFile
  readonly size: number
  readonly sha256: string
  users: number
  askedMs: number
  /** Runs while nobody uses it. */
  timer: NodeJS.Timeout | null
}

export interface KeptBlobs {
  /** Null where nothing lies there. What fails later rejects with StoreAway. */
  open(blob: string): Promise<OpenBlob | null>
  /** Its descriptor goes with its last user. */
  forget(blob: string): Promise<void>
  /** Those in use are closed by their users. */
  close(): Promise<void>
}

/** `elapsedMs`: a clock that never goes back. */
export function createKeptBlobs(disk: Disk, root: string, elapsedMs: () => number): KeptBlobs {
  const kept = new Map<string, Kept>()

  const forget = async (one: Kept): Promise<void> => {
    if (kept.get(one.blob) === one) kept.delete(one.blob)
    if (one.timer !== null) clearTimeout(one.timer)
    one.timer = null
    if (one.users === 0) await one.file.close()
  }
  const take = (one: Kept) => {
    if (one.timer !== null) clearTimeout(one.timer)
    one.timer = null
    one.users++
  }
  const release = async (one: Kept): Promise<void> => {
    one.users--
    if (one.users > 0) return
    if (kept.get(one.blob) !== one) return one.file.close()
    // Only read from: what its closing may say is of no use to anybody.
    one.timer = setTimeout(() => forget(one).catch(() => {}), KEPT_MS)
    one.timer.unref()
  }

  const opened = async (blob: string): Promise<Kept | null> => {
    const file = await openOrNull(disk, placeOf(root, blob).path)
    if (file === null) return null
    try {
      const askedMs = elapsedMs()
      const { size } = await file.facts()
      const sha256 = await digestOf(file, size)
      const one: Kept = { blob, file, size: size - DIGEST_BYTES, sha256, users: 1, askedMs, timer: null }
      if (kept.size < KEPT_MOST && !kept.has(blob)) kept.set(blob, one)
      return one
    } catch (failure) {
      await file.close()
      throw failure
    }
  }

  /** Null where it is not kept, or is not any more what lies there. */
  const again = async (blob: string): Promise<Kept | null> => {
    const one = kept.get(blob)
    if (one === undefined) return null
    take(one)
    const nowMs = elapsedMs()
    if (nowMs - one.askedMs < BELIEVED_MS) return one
    try {
      const { size, names } = await one.file.facts()
      one.askedMs = nowMs
      if (names > 0 && size === one.size + DIGEST_BYTES) return one
    } catch {
      // Opened anew, which tells what is wrong.
    }
    if (kept.get(blob) === one) kept.delete(blob)
    await release(one)
    return null
  }

  return {
    async open(blob) {
      const one = (await again(blob)) ?? (await opened(blob))
      if (one === null) return null
      const { file, size, sha256 } = one
      return {
        size,
        sha256,
        read: (into, position) => {
          const most = Math.max(0, Math.min(into.length, size - position))
          return onDisk(file.read(into.subarray(0, most), position))
        },
        close: () => release(one),
      }
    },
    async forget(blob) {
      const one = kept.get(blob)
      if (one !== undefined) await forget(one)
    },
    async close() {
      for (const one of [...kept.values()]) await forget(one)
    },
  }
}
