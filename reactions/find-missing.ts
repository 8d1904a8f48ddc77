// Finds files whose bytes are missing from the file store. It cannot repair them, so it reports them to the operator,
// who may have a backup.

import { blobsOfFiles, fileBlobs } from '../queries/upload.ts'
import type { FileStore } from '../stores/contract/files.ts'
import type { StoreProcessDeps } from './process-deps.ts'
import type { Timed } from './tick.ts'

const EVERY_MS = 10 * 60_000
const PAGE_SIZE = 1_000

export interface MissingBlob {
  readonly bucket: string
  readonly blob: string
}

interface FindDeps extends Omit<StoreProcessDeps, 'now'> {
  /** Called after each check with all missing files, and with none when another node takes over the check. */
  found(missing: readonly MissingBlob[]): void
}

/** Only the owner of the first partition runs the check. */
export function findMissing({ files, queries, found, untilViewsCurrent }: FindDeps): Timed {
  return {
    name: 'find_missing',
    everyMs: EVERY_MS,
    async run(partitions, _nowMs, signal) {
      if (!partitions.has(0)) return found([])
      const missing: MissingBlob[] = []
      const storedNames = namesIn(files)
      let nextStored = await storedNames.next()
      for (let after: string | null = null; !signal.aborted; ) {
        const { blobs, last } = await fileBlobs(queries, after, PAGE_SIZE)
        const missingNames: string[] = []
        for (const blob of blobs) {
          while (nextStored.done !== true && nextStored.value < blob) nextStored = await storedNames.next()
          if (nextStored.done === true || nextStored.value !== blob) missingNames.push(blob)
        }
        // Lagging views may still name blobs that were deleted.
        if (missingNames.length > 0 && !(await untilViewsCurrent())) return
        for (const one of await blobsOfFiles(queries, missingNames)) {
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
    const page = await files.list(after, PAGE_SIZE)
    for (const { blob } of page) yield blob
    if (page.length < PAGE_SIZE) return
    after = page.at(-1)?.blob ?? null
  }
}
