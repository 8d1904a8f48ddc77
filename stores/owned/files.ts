// The file store as commands and processes use it: it deletes and accepts bytes only while this installation owns the
// store. Two installations can name one store, for example a restored one and the one that was backed up. Each takes
// the other's blobs for orphans, so without this rule it would delete them.

import { Refusal } from '../../domain/decider.ts'
import type { FileStore, OwnableFiles } from '../contract/files.ts'
import { isLocal, type LocalFiles, type OwnableLocalFiles } from '../contract/local-files.ts'
import type { Vault } from '../contract/vault.ts'
import { type Ownership, type OwnershipOptions, openOwnership } from './ownership.ts'
import { executeDeletions, recordDeletions } from './recorded-deletions.ts'

const CLEANED_EVERY_MS = 10 * 60_000
/** Blobs deleted between two looks at the owner. */
const DELETED_TOGETHER = 100

interface OwnedFilesOptions extends Omit<OwnershipOptions, 'elapsedMs'> {
  readonly vault: Pick<Vault, 'putIfAbsent' | 'idsOf' | 'destroy'>
  /** Called when the periodic clean-up fails; it is tried again. */
  readonly onCleanUpFailure: (failure: unknown) => void
  /** Replaces the clock in tests. */
  readonly elapsedMs?: () => number
}

/** Marks the store if this installation may (`openOwnership`). Closing the returned store closes `files`. */
export async function openOwnedFiles(
  files: OwnableFiles,
  options: OwnedFilesOptions,
): Promise<{ readonly files: FileStore; readonly ownership: Ownership }> {
  const { vault, onCleanUpFailure, elapsedMs = () => performance.now() } = options
  const ownership = await openOwnership(files.owner, { ...options, elapsedMs })
  const closing = new AbortController()
  const isOwn = async () => !closing.signal.aborted && (await ownership.now()).kind === 'this'
  const cleanUp = async () => {
    if (!(await isOwn())) return
    await files.sweepTemporary()
    await executeDeletions({ vault, files, mayContinue: isOwn, onProgress: () => {} })
  }
  const cleanUpAndReport = () => cleanUp().catch(onCleanUpFailure)
  let cleaning = cleanUpAndReport()
  const timer = setInterval(() => {
    cleaning = cleaning.then(cleanUpAndReport)
  }, CLEANED_EVERY_MS)
  timer.unref()

  const checkUploads = async () => {
    if (ownership.latest().kind !== 'this') throw notOwned()
  }
  const guarded: FileStore = {
    ...files,
    checkUploads,
    async uploadLink(upload, expected, expiresMs) {
      await checkUploads()
      return files.uploadLink(upload, expected, expiresMs)
    },
    async remove(blobs, what) {
      for (let from = 0; from < blobs.length; from += DELETED_TOGETHER) {
        const some = blobs.slice(from, from + DELETED_TOGETHER)
        if ((await ownership.now()).kind === 'this') await files.remove(some)
        else if (what !== 'orphans') await recordDeletions(vault, files, some)
      }
    },
    async close() {
      closing.abort()
      clearInterval(timer)
      ownership.close()
      await cleaning
      await files.close()
    },
  }
  return { files: isLocalStore(files) ? withRoutes(guarded, files, checkUploads) : guarded, ownership }
}

const isLocalStore = (files: OwnableFiles): files is OwnableLocalFiles => isLocal(files)

function withRoutes(guarded: FileStore, files: OwnableLocalFiles, checkUploads: () => Promise<void>): LocalFiles {
  return {
    ...guarded,
    linkOf: files.linkOf,
    open: files.open,
    async take(expected, bytes, signal, admit) {
      await checkUploads()
      return files.take(expected, bytes, signal, admit)
    },
  }
}

function notOwned(): Refusal {
  const detail =
    'Uploads are switched off on this server. Downloads and lists work. Ask the operator to run `scorebook doctor`.'
  return new Refusal('unavailable', 'files_off', detail)
}
