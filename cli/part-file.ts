// A download under way: its bytes lie beside where they will be, under a name that says which version they are of, until
// they are all there. Only then the file has its name, at once and whole.

import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Sink } from '../client/transfers.ts'
import { onThisDisk, sha256Of } from './local-files.ts'

export interface PartFile extends Sink {
  /** Gives the file its name. Rejects where there is one and it may not be replaced. */
  finish(overwrites: boolean): Promise<void>
  /** Whether or not it was finished: what a later run can go on with stays, all else goes. */
  close(): Promise<void>
}

/** `told` is told of bytes that are there; fewer than none where some count no more. */
export async function openPart(local: string, sha256: string | null, told: (bytes: number) => void): Promise<PartFile> {
  // Without a sha256 no later run could know what these bytes are of.
  const version = sha256 ?? randomBytes(16).toString('hex')
  const path = join(dirname(local), `.${basename(local).slice(0, 100)}.${version.slice(0, 32)}.part`)
  const had = sha256 === null ? 0 : await sizeOf(path)
  // Written at their places, not appended: two runs at once write the same bytes there.
  const file = await onThisDisk(path, () => open(path, had > 0 ? 'r+' : 'w'))
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

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
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
  const opened = await open(folder, 'r').catch(() => null)
  // Some file systems do not know it; the bytes themselves are durable.
  await opened?.sync().catch(() => {})
  await opened?.close()
}
