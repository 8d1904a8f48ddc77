// A download in progress. Its bytes are in a partial file next to the target, whose name contains their version. When
// they are complete, the file is renamed atomically.

import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Sink } from '../clients/javascript/transfers.ts'
import { onThisDisk, sha256Of } from './local-files.ts'

// Do not follow links or wait for pipes, where the system supports these flags.
const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
const FOUND = O_RDWR | O_NOFOLLOW | O_NONBLOCK
const FRESH = O_RDWR | O_NOFOLLOW | O_CREAT | O_EXCL
/** Read once, because reading the umask changes it for a moment. */
const FINISHED_MODE = 0o666 & ~process.umask()

interface PartFile extends Sink {
  /** Renames the file to the target. Rejects if the target exists and may not be replaced. */
  finish(overwrites: boolean): Promise<void>
  /** Closes the file. Keeps it only if a later run can resume it. */
  close(): Promise<void>
}

/** `onBytes` is called with the number of added bytes; negative if bytes were discarded. */
export async function openPart(
  local: string,
  sha256: string | null,
  onBytes: (bytes: number) => void,
): Promise<PartFile> {
  // Without a sha256 a later run could not know the version of these bytes.
  const version = sha256 ?? randomBytes(16).toString('hex')
  const path = join(dirname(local), partName(basename(local), version))
  // Write at explicit offsets instead of appending: two concurrent runs then write the same bytes.
  const file = await onThisDisk(path, () => opened(path))
  const had = (await file.stat()).size
  let length = had
  let isKept = sha256 !== null
  let isFinished = false
  onBytes(had)

  return {
    length: had,
    version: had > 0 ? `"${sha256}"` : null,
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const position = length
        const { bytesWritten } = await onThisDisk(local, () => file.write(bytes, at, bytes.length - at, position))
        at += bytesWritten
        length += bytesWritten
        onBytes(bytesWritten)
      }
    },
    async restart() {
      await onThisDisk(local, () => file.truncate(0))
      onBytes(-length)
      length = 0
    },
    async sha256() {
      const found = await sha256Of(path)
      // Do not resume with wrong bytes.
      isKept = isKept && found === sha256
      return found
    },
    async finish(overwrites) {
      // Until now the file was private. Some file systems have no permissions.
      await file.chmod(FINISHED_MODE).catch(() => {})
      await onThisDisk(local, () => file.sync())
      await onThisDisk(local, () => (overwrites ? rename(path, local) : moveWhereFree(path, local)))
      await syncFolder(dirname(local))
      isFinished = true
    },
    async close() {
      await file.close()
      if (!isFinished && (!isKept || length === 0)) await rm(path, { force: true })
    },
  }
}

export async function makeFolders(folder: string): Promise<void> {
  await onThisDisk(folder, () => mkdir(folder, { recursive: true }))
}

/** A name that is short enough for every disk and unique to this name and version. */
export function partName(name: string, version: string): string {
  return `.${createHash('sha256').update(name).digest('hex').slice(0, 32)}.${version.slice(0, 32)}.part`
}

/** The partial file of an earlier run of this user, or a new one. */
async function opened(path: string): Promise<FileHandle> {
  for (;;) {
    const made = await open(path, FRESH, 0o600).catch(unlessCode('EEXIST'))
    if (made !== null) return made
    const found = await open(path, FOUND).catch(unlessCode('ENOENT', 'ELOOP', 'ENXIO', 'EACCES'))
    if (found !== null && (await isOwn(found))) return found
    await found?.close()
    // Removes the link, not its target.
    await rm(path, { force: true })
  }
}

/** A file of another user, or one with a second hard link, could be read or changed by others. */
async function isOwn(file: FileHandle): Promise<boolean> {
  const facts = await file.stat()
  return facts.isFile() && facts.nlink === 1 && facts.uid === (process.getuid?.() ?? facts.uid)
}

function unlessCode(...codes: readonly string[]): (error: NodeJS.ErrnoException) => null {
  return (error) => {
    if (codes.includes(error.code ?? '')) return null
    throw error
  }
}

/** A hard link fails if the target exists, even if it was just created; a rename would replace it. */
async function moveWhereFree(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // The file system has no hard links, so a race remains.
    if ((await stat(to).catch(() => null)) !== null) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
    return rename(from, to)
  }
  await rm(from)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  // Some file systems cannot sync folders; the bytes themselves are durable.
  await handle?.sync().catch(() => {})
  await handle?.close()
}
