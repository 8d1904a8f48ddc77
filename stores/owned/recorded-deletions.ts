// Deletions that wait until this installation owns its file store. They are in the vault, which every node of the
// installation shares, because the log may no longer name the blobs: the events of a deleted game are removed from it.

import type { FileStore } from '../contract/files.ts'
import type { Vault } from '../contract/vault.ts'

const KIND = 'blob-deletion'
const PAGE = 500
const RECORDED_TOGETHER = 16
/** The record is its id. */
const VALUE = new Uint8Array([1])

type Records = Pick<Vault, 'putIfAbsent' | 'idsOf' | 'destroy'>

/** Resolves when the deletions are durably recorded. Repeating it records nothing twice. */
export async function recordDeletions(
  vault: Records,
  files: Pick<FileStore, 'stored'>,
  blobs: readonly string[],
): Promise<void> {
  for (let from = 0; from < blobs.length; from += RECORDED_TOGETHER) {
    await Promise.all(blobs.slice(from, from + RECORDED_TOGETHER).map((blob) => recordDeletion(vault, files, blob)))
  }
}

async function recordDeletion(vault: Records, files: Pick<FileStore, 'stored'>, blob: string): Promise<void> {
  // A restored installation repeats all deletions of its log, and most of these blobs were deleted long ago. No blob
  // gets a name that another one had. A store that does not answer is no reason to forget the deletion.
  const isGone = await files.stored(blob).then(
    (stored) => stored === null,
    () => false,
  )
  if (!isGone) await vault.putIfAbsent(KIND, blob, VALUE)
}

export async function countDeletions(vault: Pick<Vault, 'idsOf'>): Promise<number> {
  let count = 0
  for (let after: string | null = null; ; ) {
    const page: readonly string[] = await vault.idsOf(KIND, after, PAGE)
    count += page.length
    if (page.length < PAGE) return count
    after = page.at(-1) ?? null
  }
}

interface Execution {
  readonly vault: Records
  readonly files: Pick<FileStore, 'remove'>
  /** Asked before each batch: false ends the execution, and keeps the other records. */
  mayContinue(): Promise<boolean>
  onProgress(executed: number): void
}

/**
 * Deletes the recorded blobs, each before its record. It can be repeated after an interruption, and run on several
 * nodes at once.
 */
export async function executeDeletions({ vault, files, mayContinue, onProgress }: Execution): Promise<boolean> {
  for (let after: string | null = null; ; ) {
    const page: readonly string[] = await vault.idsOf(KIND, after, PAGE)
    if (page.length === 0) return true
    if (!(await mayContinue())) return false
    await files.remove(page)
    await Promise.all(page.map((blob) => vault.destroy(KIND, blob)))
    onProgress(page.length)
    after = page.at(-1) ?? null
  }
}
