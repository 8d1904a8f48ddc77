// How many more bytes fit: the free space that the file system reports, less the bytes of uploads in progress, less a
// reserve for the log on the same disk. A full disk stops the log and with it the whole service; a refused upload
// does not.

import { FilesFull } from '../contract/files.ts'
import type { Disk } from './disk.ts'

/** Never to be filled by files. */
export const FREE_FLOOR_BYTES = 256 * 1_048_576
/** What the file system said is believed for so long. */
const BELIEVED_MS = 250

interface Room {
  /** Rejects with FilesFull where so many bytes would go below the floor. */
  check(bytes: number): Promise<void>
  /** The same, and holds the bytes until the answered function is called. */
  hold(bytes: number): Promise<() => void>
}

/** `elapsedMs`: a clock that never goes back. */
export function createRoom(disk: Disk, folder: string, elapsedMs: () => number): Room {
  let held = 0
  /** Let go since the file system was asked: on the disk by now, for all that is known. */
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
  /** Nothing may be awaited between this and holding. */
  const fits = (bytes: number, most: number) => {
    if (most - held - spent - bytes < FREE_FLOOR_BYTES) throw new FilesFull()
  }
  return {
    check: async (bytes) => fits(bytes, await freeBytes()),
    async hold(bytes) {
      fits(bytes, await freeBytes())
      held += bytes
      return () => {
        held -= bytes
        spent += bytes
      }
    },
  }
}
