// Which installation becomes the owner of a file store that has no marker. A store that a version before the marker
// filled belongs to the installation that filled it. Another one that is pointed at it by mistake must not delete what
// it takes for orphans.

import { uploadStream } from '../../domain/upload.ts'
import type { FileStore } from '../contract/files.ts'
import type { Log } from '../contract/log.ts'

const PAGE = 1_000
const UPLOADS = uploadStream('')

interface Claimant {
  readonly files: Pick<FileStore, 'list'>
  /** Of the installation. */
  readonly log: Pick<Log, 'readAll'>
  /** A restored installation never marks a store by itself: another one may use it that has not marked it yet. */
  readonly isRestored: boolean
  /** Whether an import filled the log: then its uploads are those of the exported installation. */
  readonly isImported: boolean
}

/** If the store has blobs, reads the log up to its first upload, or to its end if it has none. */
export async function mayMark({ files, log, isRestored, isImported }: Claimant): Promise<boolean> {
  if (isRestored) return false
  return (await files.list(null, 1)).length === 0 || (!isImported && hasUploads(log))
}

async function hasUploads(log: Claimant['log']): Promise<boolean> {
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Log['readAll']>> = await log.readAll(after, PAGE)
    if (page.some(({ stream }) => stream.startsWith(UPLOADS))) return true
    if (page.length < PAGE) return false
    after = page.at(-1)?.position ?? null
  }
}
