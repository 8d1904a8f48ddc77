// Temporary files that nobody writes any more: left by a process that was killed. They are recognised by their age, as other
// processes may be writing into the same folder. Blobs that nobody knows are not told from here: list() shows them to
// the caller that knows the log.

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
