// The directory layout of blobs: two levels of folders by the first two characters of the name, so that a walk visits
// blobs in name order. `tmp` next to them, on the same file system, has files that are being written.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Disk, isCode } from './disk.ts'

/** The format of our blob names. No path is ever built from any other name. */
const BLOB = /^[a-z2-7]{8,64}$/
const LEVEL = /^[a-z2-7]$/

export const isBlob = (name: string): boolean => BLOB.test(name)
export const isLevel = (name: string): boolean => LEVEL.test(name)

export const temporaryFolder = (root: string): string => join(root, 'tmp')

/** What temporary files become: a blob, the owner marker, or the test of hard links at start. */
const TEMPORARY = /^(?:[a-z2-7]{8,64}|owner|probe)\.[0-9a-f]{18}(?:\.link)?$/

/** Whether this program may have given a file in the temporary folder this name. */
export const isTemporary = (name: string): boolean => TEMPORARY.test(name)

/** A new path for a temporary file. `kind`: a blob name, `owner` or `probe`. */
export const temporaryPath = (root: string, kind: string): string =>
  join(temporaryFolder(root), `${kind}.${randomBytes(9).toString('hex')}`)

/** Throws RangeError for an invalid blob name. */
export function blobPathOf(root: string, blob: string): { readonly folder: string; readonly path: string } {
  if (!isBlob(blob)) throw new RangeError('this is not a blob name')
  const folder = join(root, blob.charAt(0), blob.charAt(1))
  return { folder, path: join(folder, blob) }
}

/** Creates and syncs a blob's folders, each once per process. */
export function createFolders(disk: Disk, root: string): (blob: string) => Promise<void> {
  const made = new Map<string, Promise<void>>()

  const make = async (folder: string, inside: string) => {
    await disk.makeFolder(folder).catch(unlessThere)
    // Sync an existing folder, too: its creator may have stopped before the sync.
    await disk.syncFolder(inside)
  }

  const once = (folder: string, inside: string, before: () => Promise<void>): Promise<void> => {
    const known = made.get(folder)
    if (known !== undefined) return known
    const making = before().then(() => make(folder, inside))
    made.set(folder, making)
    making.catch(() => made.delete(folder))
    return making
  }

  return (blob) => {
    const upper = join(root, blob.charAt(0))
    return once(blobPathOf(root, blob).folder, upper, () => once(upper, root, async () => {}))
  }
}

function unlessThere(failure: unknown): void {
  if (!isCode(failure, 'EEXIST')) throw failure
}

/** The matching names in a folder, in order; empty if there is no folder. */
export async function namesIn(disk: Disk, folder: string, wanted: (name: string) => boolean): Promise<string[]> {
  const names = await disk.names(folder).catch((failure: unknown) => {
    if (isCode(failure, 'ENOENT')) return []
    throw failure
  })
  return names.filter(wanted).sort()
}
