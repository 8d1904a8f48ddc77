// Compares the blobs of the file store with the files. Deletes unreferenced blobs: those that events replaced, deleted
// or expired, some time later and in log order; and, at intervals, those that no file or upload refers to. Reports
// files whose blob is missing to the operator, who may have a backup: nothing else can repair them.

import type { StoredEvent } from '../domain/event.ts'
import { blobsKept, blobsOfFiles, fileBlobs } from '../queries/upload.ts'
import type { FileStore } from '../stores/contract/files.ts'
import type { Reaction, StoreReactionDeps } from './reaction.ts'
import type { Timed } from './tick.ts'
import { waitForAge } from './wait.ts'

/** Longer than a download link is valid and a download usually takes. */
export const REPLACED_KEPT_MS = 10 * 60_000
/** Longer than an upload is valid and its transfer takes. */
export const ORPHANS_KEPT_MS = 2 * 60 * 60_000
/** Pause between two comparisons of all blobs. */
const COMPARED_EVERY_MS = 10 * 60_000
const PAGE_SIZE = 1_000

export function sweepBlobs({ files, now }: Pick<StoreReactionDeps, 'files' | 'now'>): Reaction {
  return {
    name: 'sweep_blobs',
    takes: ['FileStored', 'FileOverwritten', 'FileDeleted', 'UploadExpired'],
    async react(event, signal) {
      const blob = unreferencedBlob(event)
      if (blob === null) return
      if (await waitForAge(event, now, signal, REPLACED_KEPT_MS)) await files.remove([blob])
    },
  }
}

function unreferencedBlob({ type, data }: StoredEvent): string | null {
  if (type === 'FileDeleted' || type === 'UploadExpired') return data.blob as string | null
  return (data.replaced as { readonly blob: string } | null)?.blob ?? null
}

/** The owner of the first partition scans the whole store. */
export function sweepOrphans({ files, queries, untilViewsCurrent }: Omit<StoreReactionDeps, 'now'>): Timed {
  return {
    name: 'sweep_orphans',
    everyMs: COMPARED_EVERY_MS,
    async run(partitions, nowMs, signal) {
      if (!partitions.has(0)) return
      for (let after: string | null = null; !signal.aborted; ) {
        const page = await files.list(after, PAGE_SIZE)
        const old = page.filter(({ storedMs }) => storedMs + ORPHANS_KEPT_MS < nowMs).map(({ blob }) => blob)
        // The views must include files stored before the blobs are compared with them.
        if (old.length > 0 && !(await untilViewsCurrent())) return
        const referenced = await blobsKept(queries, old)
        const orphans = old.filter((blob) => !referenced.has(blob))
        if (orphans.length > 0) await files.remove(orphans, 'orphans')
        if (page.length < PAGE_SIZE) return
        after = page.at(-1)?.blob ?? null
      }
    },
  }
}

export interface MissingBlob {
  readonly bucket: string
  readonly blob: string
}

interface FindDeps extends Omit<StoreReactionDeps, 'now'> {
  /** Called after each check with all missing files, and with none when another node takes over the check. */
  found(missing: readonly MissingBlob[]): void
}

/** Only the owner of the first partition runs the check. */
export function findMissing({ files, queries, found, untilViewsCurrent }: FindDeps): Timed {
  return {
    name: 'find_missing',
    everyMs: COMPARED_EVERY_MS,
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
