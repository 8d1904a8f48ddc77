// The owner marker of a folder: a file at its root. It is written to a temporary file and synced before it gets its
// name, so that no process reads a part of it.

import { join } from 'node:path'
import { OWNER_MARKER_MAX_BYTES, type OwnerMarker } from '../contract/files.ts'
import { type Disk, isCode, onDisk, realDisk } from './disk.ts'
import { temporaryPath } from './layout.ts'
import { openOrNull } from './read.ts'

const NAME = 'owner'

/** The folder may be missing as long as the marker is only read. Rejects with StoreUnavailable or FilesFull. */
export function folderOwner(root: string, disk: Disk = realDisk): OwnerMarker {
  const path = join(root, NAME)
  return {
    read: () => onDisk(textOf(disk, path)),
    create: (text) =>
      onDisk(
        withTemporary(disk, root, text, async (temporary) => {
          await disk.link(temporary, path).catch(unlessCode('EEXIST'))
          await disk.unlink(temporary)
        }),
      ),
    replace: (text) => onDisk(withTemporary(disk, root, text, (temporary) => disk.rename(temporary, path))),
  }
}

async function textOf(disk: Disk, path: string): Promise<string | null> {
  const file = await openOrNull(disk, path)
  if (file === null) return null
  try {
    const bytes = Buffer.alloc(OWNER_MARKER_MAX_BYTES)
    let length = 0
    for (let more = 1; more > 0 && length < bytes.length; length += more) {
      more = await file.read(bytes.subarray(length), length)
    }
    return bytes.toString('utf8', 0, length)
  } catch (failure) {
    // A folder of that name is no marker of this installation.
    if (isCode(failure, 'EISDIR')) return ''
    throw failure
  } finally {
    await file.close()
  }
}

/** `name` gives the synced temporary file the marker's name, or removes it. */
async function withTemporary(
  disk: Disk,
  root: string,
  text: string,
  name: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = temporaryPath(root, NAME)
  const file = await disk.create(temporary)
  try {
    try {
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length; ) written += await file.write([bytes.subarray(written)])
      await file.sync()
    } finally {
      await file.close()
    }
    await name(temporary)
    // Also if the marker was there: the process that created it may have stopped before its sync.
    await disk.syncFolder(root)
  } catch (failure) {
    // If this fails, too, `local.ts` removes the file later.
    await disk.unlink(temporary).catch(() => {})
    throw failure
  }
}

const unlessCode = (code: string) => (failure: unknown) => {
  if (!isCode(failure, code)) throw failure
}
