// Finds files whose bytes are missing from the file store. It cannot repair them, so it reports them to the operator,
// who may have a backup.

import { blobsOfFiles, fileBlobs } from '../queries/upload.ts'
import type { FileStore } from '../stores/contract/files.ts'
import type { StoreProcessDeps } from './process-deps.ts'
import type { Timed } from './tick.ts'

const EVERY_MS = 10 * 60_000
const AT_ONCE = 1_000

export interface MissingBlob {
  readonly bucket: string
  readonly blob: string
}

interface FindDeps extends Omit<StoreProcessDeps, 'now'> {
  /** Called after each check with all missing files, and with none when another node takes over the check. */
  found(missing: readonly MissingBlob[]): void
}

/** Only the owner of the first partition runs the check. */
export function findMissing({ files, queries, found, allSeen }: FindDeps): Timed {
  return {
    name: 'find_missing',
    everyMs: EVERY_MS,
    async run(partitions, _nowMs, signal) {
      if (!partitions.has(0)) return found([])
      const missing: MissingBlob[] = []
      const lying = namesIn(files)
      let lies = await lying.next()
      for (let after: string | null = null; !signal.aborted; ) {
        const { blobs, last } = await fileBlobs(queries, after, AT_ONCE)
        const unseen: string[] = []
        for (const blob of blobs) {
          while (lies.done !== true && lies.value < blob) lies = await lying.next()
          if (lies.done === true || lies.value !== blob) unseen.push(blob)
        }
        // Views that lag may still name blobs that were deleted and swept.
        if (unseen.length > 0 && !(await allSeen())) return
        for (const one of await blobsOfFiles(queries, unseen)) {
          if ((await files.stored(one.blob)) === null) missing.push(one)
        }
        if (last === null) return found(missing)
        after = last
      }
    },
  }
}

/** The names of all stored blobs, in order. */
async function* namesIn(files: FileStore): AsyncGenerator<string, void> {
  for (let after: string | null = null; ; ) {
    const page = await files.list(after, AT_ONCE)
    for (const { blob } of page) yield blob
    if (page.length < AT_ONCE) return
    after = page.at(-1)?.blob ?? null
  }
}
