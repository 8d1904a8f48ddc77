// How many more bytes fit: the free space that the file system reports, less the bytes of uploads in progress, less a
// reserve for the log on the same disk. A full disk stops the log and with it the whole service; a refused upload
// does not.

import { FilesFull } from '../contract/files.ts'
import type { Disk } from './disk.ts'

/** Reserve in bytes that files never use. */
export const FREE_FLOOR_BYTES = 256 * 1_048_576
/** Milliseconds to cache the free space. */
const BELIEVED_MS = 250

interface Room {
  /** Rejects with FilesFull if this many bytes would use the reserve. */
  check(bytes: number): Promise<void>
  /** The same, and reserves the bytes until the returned function is called. */
  reserve(bytes: number): Promise<() => void>
}

/** `elapsedMs`: a monotonic clock. */
export function createRoom(disk: Disk, folder: string, elapsedMs: () => number): Room {
  let reserved = 0
  /** Bytes released since the free space was read; they may be on disk by now. */
  let spent = 0
  let free: Promise<number> | null = null
  let askedMs = 0

  const freeBytes = (): Promise<number> => {
    if (free !== null && elapsedMs() - askedMs < BELIEVED_MS) return free
    askedMs = elapsedMs()
    spent = 0
    const asking = disk.freeBytes(folder)
    free = asking
    asking.catch(() => {
      if (free === asking) free = null
    })
    return asking
  }
  /** Do not await between this check and the reservation. */
  const fits = (bytes: number, most: number) => {
    if (most - reserved - spent - bytes < FREE_FLOOR_BYTES) throw new FilesFull()
  }
  return {
    check: async (bytes) => fits(bytes, await freeBytes()),
    async reserve(bytes) {
      fits(bytes, await freeBytes())
      reserved += bytes
      return () => {
        reserved -= bytes
        spent += bytes
      }
    },
  }
}
