// Removes temporary files of killed processes. They are recognised by age, because other processes may be writing
// into the same folder. Orphaned blobs cannot be recognised here: a caller that knows the log compares them with
// list().

import { join } from 'node:path'
import { type Disk, isCode } from './disk.ts'
import { namesIn, temporaryFolder } from './layout.ts'

/** No upload is without a byte for this long; the HTTP endpoint aborts it much sooner. */
export const TEMPORARY_KEPT_MS = 10 * 60_000

/** Removes files last written before `beforeMs` (Unix milliseconds). Returns their number. */
export async function sweepTemporary(disk: Disk, root: string, beforeMs: number): Promise<number> {
  const folder = temporaryFolder(root)
  let removed = 0
  for (const name of await namesIn(disk, folder, () => true)) {
    const path = join(folder, name)
    try {
      if ((await disk.facts(path)).changedMs >= beforeMs) continue
      await disk.unlink(path)
      removed++
    } catch (failure) {
      // Its writer or another sweep has removed it.
      if (!isCode(failure, 'ENOENT')) throw failure
    }
  }
  return removed
}
