// Deletes unreferenced blobs from the file store: those that events replaced, deleted or expired, some time later and
// in log order; and, at intervals, stored blobs that no file or upload refers to.

import type { StoredEvent } from '../domain/event.ts'
import { blobsKept } from '../queries/upload.ts'
import type { Process } from './process.ts'
import type { StoreProcessDeps } from './process-deps.ts'
import type { Timed } from './tick.ts'
import { waitForAge } from './wait.ts'

/** Longer than a download link is valid and a download usually takes. */
export const REPLACED_KEPT_MS = 10 * 60_000
/** Longer than an upload is valid and its transfer takes. */
export const ORPHANS_KEPT_MS = 2 * 60 * 60_000
const ORPHANS_EVERY_MS = 10 * 60_000
const PAGE_SIZE = 1_000

export function sweepBlobs({ files, now }: Pick<StoreProcessDeps, 'files' | 'now'>): Process {
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

/** The blob that this event makes unreferenced. */
function unreferencedBlob({ type, data }: StoredEvent): string | null {
  if (type === 'FileDeleted' || type === 'UploadExpired') return data.blob as string | null
  return (data.replaced as { readonly blob: string } | null)?.blob ?? null
}

/** The owner of the first partition scans the whole store. */
export function sweepOrphans({ files, queries, untilViewsCurrent }: Omit<StoreProcessDeps, 'now'>): Timed {
  return {
    name: 'sweep_orphans',
    everyMs: ORPHANS_EVERY_MS,
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
