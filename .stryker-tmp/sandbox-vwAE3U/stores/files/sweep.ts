// Removes temporary files of killed processes. They are recognised by age, because other processes may be writing
// into the same folder. Orphaned blobs cannot be recognised here: a caller that knows the log compares them with
// list().

import { join } from 'node:path'
import { type Disk, isCode } from './disk.ts'
import { namesIn, temporaryFolder } from './layout.ts'

/** No upload goes without a byte for so long: its door cuts it much sooner. */
export const TEMPORARY_KEPT_MS = 10 * 60_000

/** Removes those last written before `beforeMs` (Unix milliseconds); answers how many. */
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
      // Its writer or another sweep was faster.
      if (!isCode(failure, 'ENOENT')) throw failure
    }
  }
  return removed
}
