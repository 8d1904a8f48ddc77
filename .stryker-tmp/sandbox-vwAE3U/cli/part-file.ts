// A download in progress: its bytes are in a file beside the target, under a name that contains their version,
// until they are all there. Only then the file has its name, at once and whole.

import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Sink } from '../client/transfers.ts'
import { onThisDisk, sha256Of } from './local-files.ts'

// Not on every system: no link is followed, and no pipe is waited for.
const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
const FOUND = O_RDWR | O_NOFOLLOW | O_NONBLOCK
const FRESH = O_RDWR | O_NOFOLLOW | O_CREAT | O_EXCL
/** Read once, as reading it sets it for a moment. */
const FINISHED_MODE = 0o666 & ~process.umask()

interface PartFile extends Sink {
  /** Gives the file its name. Rejects where there is one and it may not be replaced. */
  finish(overwrites: boolean): Promise<void>
  /** Whether or not it was finished: what a later run can go on with stays, all else goes. */
  close(): Promise<void>
}

/** `told` is called with the bytes added; negative if some no longer count. */
export async function openPart(local: string, sha256: string | null, told: (bytes: number) => void): Promise<PartFile> {
  // Without a sha256 no later run could know what these bytes are of.
  const version = sha256 ?? randomBytes(16).toString('hex')
  const path = join(dirname(local), partName(basename(local), version))
  // Written at their places, not appended: two runs at once write the same bytes there.
  const file = await onThisDisk(path, () => opened(path))
  const had = (await file.stat()).size
  let length = had
  let isKept = sha256 !== null
  let isFinished = false
  told(had)

  return {
    length: had,
    version: had > 0 ? `"${sha256}"` : null,
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const position = length
        const { bytesWritten } = await onThisDisk(local, () => file.write(bytes, at, bytes.length - at, position))
        at += bytesWritten
        length += bytesWritten
        told(bytesWritten)
      }
    },
    async restart() {
      await onThisDisk(local, () => file.truncate(0))
      told(-length)
      length = 0
    },
    async sha256() {
      const found = await sha256Of(path)
      // Wrong bytes are nothing to go on with.
      isKept = isKept && found === sha256
      return found
    },
    async finish(overwrites) {
      // Until now it was this user’s only. Some file systems know no such thing.
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

/** Short enough for every disk, and of this one name and version only. */
export function partName(name: string, version: string): string {
  return `.${createHash('sha256').update(name).digest('hex').slice(0, 32)}.${version.slice(0, 32)}.part`
}

/** What an earlier run of this user left, or else a new one. */
async function opened(path: string): Promise<FileHandle> {
  for (;;) {
    const made = await open(path, FRESH, 0o600).catch(unlessCode('EEXIST'))
    if (made !== null) return made
    const found = await open(path, FOUND).catch(unlessCode('ENOENT', 'ELOOP', 'ENXIO', 'EACCES'))
    if (found !== null && (await isOwn(found))) return found
    await found?.close()
    // A link is taken away, and not what it leads to.
    await rm(path, { force: true })
  }
}

/** What somebody else put there, or gave a second name, may be read or changed by them. */
async function isOwn(file: FileHandle): Promise<boolean> {
  const facts = await file.stat()
  return facts.isFile() && facts.nlink === 1 && facts.uid === (process.getuid?.() ?? facts.uid)
}

function unlessCode(...codes: readonly string[]): (why: NodeJS.ErrnoException) => null {
  return (why) => {
    if (codes.includes(why.code ?? '')) return null
    throw why
  }
}

/** A second name is refused where it is taken, also where it was free a moment ago; a rename would replace. */
async function moveWhereFree(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (why) {
    if ((why as NodeJS.ErrnoException).code === 'EEXIST') throw why
    // No hard links on this file system: as good as it goes.
    if ((await stat(to).catch(() => null)) !== null) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
    return rename(from, to)
  }
  await rm(from)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  // Some file systems do not know it; the bytes themselves are durable.
  await handle?.sync().catch(() => {})
  await handle?.close()
}
