// The file store in a local folder, with links to an endpoint of this server (http/files/). Several processes may
// share the folder if it is one file system that supports hard links.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StoresFault } from '../contract/faults.ts'
import type { Stored } from '../contract/files.ts'
import type { DoorFiles } from '../contract/files-door.ts'
import { type Disk, isCode, realDisk } from './disk.ts'
import { onDisk } from './faults.ts'
import { createKeptBlobs } from './kept.ts'
import { createFolders, isBlob, isLevel, namesIn, placeOf, temporaryFolder } from './layout.ts'
import { getToken, linkOf, putToken } from './links.ts'
import { DIGEST_BYTES, storedIn } from './read.ts'
import { createRoom } from './room.ts'
import { sweepTemporary, TEMPORARY_KEPT_MS } from './sweep.ts'
import { write } from './write.ts'

const SWEPT_EVERY_MS = 10 * 60_000

interface LocalOptions {
  /** Created if missing; its parent folder must exist. */
  readonly folder: string
  /** What links begin with. */
  readonly publicUrl: string
  /** Makes links and knows them again. */
  readonly key: Uint8Array
  /** Told when the sweeping of temporary files fails; it is tried again. */
  readonly onSweepFailure: (failure: unknown) => void
  /** In place of the real one. */
  readonly disk?: Disk
}

/** Throws StoresFault where the folder cannot be used. */
export async function openLocalFiles(options: LocalOptions): Promise<DoorFiles> {
  const { folder: root, publicUrl, key, onSweepFailure, disk = realDisk } = options
  await prepared(disk, root)
  const folders = createFolders(disk, root)
  const elapsedMs = () => performance.now()
  const kept = createKeptBlobs(disk, root, elapsedMs)
  const room = createRoom(disk, root, elapsedMs)
  const urlOf = (token: string) => `${publicUrl.replace(/\/+$/, '')}/api/files/local/${token}/`
  const timer = setInterval(() => sweep(disk, root).catch(onSweepFailure), SWEPT_EVERY_MS)
  timer.unref()

  return {
    async uploadLink(upload, expected, expiresMs) {
      placeOf(root, expected.blob)
      await onDisk(room.check(expected.size))
      const headers = { 'Content-Type': expected.contentType }
      return { method: 'PUT', url: urlOf(putToken(key, upload, expected, expiresMs)), headers }
    },
    downloadLink: async (offered, expiresMs) => urlOf(getToken(key, offered, expiresMs)),
    linkOf: (token, nowMs) => linkOf(key, token, nowMs),
    async take(expected, bytes, signal) {
      const release = await onDisk(room.hold(expected.size))
      try {
        return await onDisk(write({ disk, root, folders }, expected, bytes, signal))
      } finally {
        release()
      }
    },
    open: (blob) => onDisk(kept.open(blob)),
    async stored(blob) {
      const found = await onDisk(storedIn(disk, root, blob))
      // The process that created it may have died before the name was durable.
      if (found !== null) await onDisk(disk.syncFolder(placeOf(root, blob).folder))
      return found
    },
    async remove(blobs) {
      for (const blob of blobs) {
        await onDisk(removed(disk, placeOf(root, blob).path))
        await onDisk(kept.forget(blob))
      }
    },
    list: (after, limit) => onDisk(listed(disk, root, after, limit)),
    async close() {
      clearInterval(timer)
      await kept.close()
    },
  }
}

async function prepared(disk: Disk, root: string): Promise<void> {
  try {
    for (const folder of [root, temporaryFolder(root)]) {
      await disk.makeFolder(folder).catch((failure: unknown) => {
        if (!isCode(failure, 'EEXIST')) throw failure
      })
    }
    await disk.syncFolder(join(root, '..'))
    await disk.syncFolder(root)
    await probed(disk, root)
    await sweep(disk, root)
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure)
    throw new StoresFault(`${root}: files cannot be kept here: ${why}. Use a file system that knows hard links.`)
  }
}

/** Better refused at start than with the first upload. */
async function probed(disk: Disk, root: string): Promise<void> {
  const path = join(temporaryFolder(root), `probe.${randomBytes(9).toString('hex')}`)
  const file = await disk.create(path)
  await file.close()
  try {
    await disk.link(path, `${path}.link`)
    await disk.unlink(`${path}.link`)
  } finally {
    await disk.unlink(path)
  }
}

const sweep = (disk: Disk, root: string) => sweepTemporary(disk, root, Date.now() - TEMPORARY_KEPT_MS)

async function removed(disk: Disk, path: string): Promise<void> {
  await disk.unlink(path).catch((failure: unknown) => {
    if (!isCode(failure, 'ENOENT')) throw failure
  })
}

/** Without their digests, which would take a read of each. */
async function listed(disk: Disk, root: string, after: string | null, limit: number): Promise<Stored[]> {
  const found: Stored[] = []
  for (const upper of await namesIn(disk, root, isLevel)) {
    if (after !== null && upper < after.charAt(0)) continue
    for (const lower of await namesIn(disk, join(root, upper), isLevel)) {
      if (after !== null && upper + lower < after.slice(0, 2)) continue
      const folder = join(root, upper, lower)
      for (const blob of await namesIn(disk, folder, (name) => isBlob(name) && (after === null || name > after))) {
        if (found.length >= limit) return found
        const facts = await factsOrNull(disk, join(folder, blob))
        if (facts === null) continue
        found.push({ blob, size: facts.size - DIGEST_BYTES, sha256: null, storedMs: facts.changedMs })
      }
    }
  }
  return found
}

function factsOrNull(disk: Disk, path: string) {
  return disk.facts(path).catch((failure: unknown) => {
    if (isCode(failure, 'ENOENT')) return null
    throw failure
  })
}
