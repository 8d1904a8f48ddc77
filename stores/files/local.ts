// The file store in a local folder, with links to an endpoint of this server (http/files/). Several processes may
// share the folder if it is one file system that supports hard links.

import { timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { keyedDigest } from '../../credentials/master.ts'
import { fromBase64url, toBase64url } from '../../credentials/text.ts'
import { StoresFault } from '../contract/faults.ts'
import { type Expected, FilesFull, type Offered, type Stored } from '../contract/files.ts'
import type { Link, OwnableLocalFiles } from '../contract/local-files.ts'
import { type Disk, isCode, onDisk, realDisk } from './disk.ts'
import { folderOwner } from './folder-owner.ts'
import { HeldBytes } from './incoming-bytes.ts'
import {
  blobPathOf,
  createFolders,
  isBlob,
  isLevel,
  isTemporary,
  namesIn,
  temporaryFolder,
  temporaryPath,
} from './layout.ts'
import { createKeptBlobs } from './open-blobs.ts'
import { DIGEST_BYTES, storedIn } from './read.ts'
import { write } from './write.ts'

interface LocalOptions {
  /** Created if missing; its parent folder must exist. */
  readonly folder: string
  readonly publicUrl: string
  /** The key that signs and verifies links. */
  readonly key: Uint8Array
  /** Replaces the file system in tests. */
  readonly disk?: Disk
}

/** Throws StoresFault if the folder cannot be used. */
export async function openLocalFiles(options: LocalOptions): Promise<OwnableLocalFiles> {
  const { folder: root, publicUrl, key, disk = realDisk } = options
  await prepared(disk, root)
  const folders = createFolders(disk, root)
  const elapsedMs = () => performance.now()
  const kept = createKeptBlobs(disk, root, elapsedMs)
  const room = createRoom(disk, root, elapsedMs)
  const held = new HeldBytes()
  // Without a slash at the end, to which `curl -T` would append the name of the file.
  const urlOf = (token: string) => `${publicUrl.replace(/\/+$/, '')}/api/files/local/${token}`

  return {
    async uploadLink(upload, expected, expiresMs) {
      blobPathOf(root, expected.blob)
      await onDisk(room.check(expected.size))
      const headers = { 'Content-Type': expected.contentType }
      return { method: 'PUT', url: urlOf(putToken(key, upload, expected, expiresMs)), headers }
    },
    downloadLink: async (offered, expiresMs) => urlOf(getToken(key, offered, expiresMs)),
    linkOf: (token, nowMs) => linkOf(key, token, nowMs),
    async take(expected, bytes, signal, admit = async () => {}) {
      const release = await onDisk(room.reserve(expected.size))
      try {
        return await onDisk(write({ disk, root, folders, held }, { expected, bytes, signal, admit }))
      } finally {
        release()
      }
    },
    open: (blob) => onDisk(kept.open(blob)),
    async stored(blob) {
      const found = await onDisk(storedIn(disk, root, blob))
      // The process that created it may have died before the name was durable.
      if (found !== null) await onDisk(disk.syncFolder(blobPathOf(root, blob).folder))
      return found
    },
    async remove(blobs) {
      const folders = new Set<string>()
      for (const blob of blobs) {
        const { folder, path } = blobPathOf(root, blob)
        await onDisk(ifThere(disk.unlink(path)))
        await onDisk(kept.forget(blob))
        folders.add(folder)
      }
      // The log may lose the events that name these blobs next.
      for (const folder of folders) await onDisk(ifThere(disk.syncFolder(folder)))
    },
    list: (after, limit) => onDisk(listed(disk, root, after, limit)),
    owner: folderOwner(root, disk),
    async sweepTemporary() {
      await onDisk(sweepTemporary(disk, root, Date.now() - TEMPORARY_KEPT_MS))
    },
    close: () => kept.close(),
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
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new StoresFault(`${root}: files cannot be stored here: ${reason}. Use a file system with hard links.`)
  }
}

/** Checks hard links at start, so that the first upload does not fail. */
async function probed(disk: Disk, root: string): Promise<void> {
  const path = temporaryPath(root, 'probe')
  const file = await disk.create(path)
  await file.close()
  try {
    await disk.link(path, `${path}.link`)
    await disk.unlink(`${path}.link`)
  } finally {
    await disk.unlink(path)
  }
}

async function ifThere(work: Promise<void>): Promise<void> {
  await work.catch((failure: unknown) => {
    if (!isCode(failure, 'ENOENT')) throw failure
  })
}

/** Without checksums, which would need a read of each blob. */
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
        if (facts === null || !facts.isFile) continue
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

// Removes temporary files of killed processes. They are recognised by name, because other programs may use the folder,
// and by age, because other processes of this one may be writing into it. Orphaned blobs cannot be recognised here: a
// caller that knows the log compares them with list().

/** No upload is without a byte for this long; the HTTP endpoint aborts it much sooner. */
const TEMPORARY_KEPT_MS = 10 * 60_000

/** Removes those last written before `beforeMs` (Unix milliseconds). Returns their number. */
export async function sweepTemporary(disk: Disk, root: string, beforeMs: number): Promise<number> {
  const folder = temporaryFolder(root)
  let removed = 0
  for (const name of await namesIn(disk, folder, isTemporary)) {
    const path = join(folder, name)
    try {
      const { isFile, changedMs } = await disk.facts(path)
      if (!isFile || changedMs >= beforeMs) continue
      await disk.unlink(path)
      removed++
    } catch (failure) {
      // Its writer or another sweep has removed it.
      if (!isCode(failure, 'ENOENT')) throw failure
    }
  }
  return removed
}

// How many more bytes fit: the free space that the file system reports, less the bytes of uploads in progress, less a
// reserve for the log on the same disk. A full disk stops the log and with it the whole service; a refused upload
// does not.

/** Reserve in bytes that files never use. */
export const FREE_FLOOR_BYTES = 256 * 1_048_576
/** Milliseconds to cache the free space. */
const BELIEVED_MS = 250

interface Room {
  /** Rejects with FilesFull if this many bytes would use the reserve. */
  check(bytes: number): Promise<void>
  /** The same, and reserves the bytes until the returned function is called. */
  reserve(bytes: number): Promise<() => void>
}

/** `elapsedMs`: a monotonic clock. */
function createRoom(disk: Disk, folder: string, elapsedMs: () => number): Room {
  let reserved = 0
  /** Bytes released since the free space was read; they may be on disk by now. */
  let spent = 0
  let free: Promise<number> | null = null
  let askedMs = 0

  const freeBytes = (): Promise<number> => {
    if (free !== null && elapsedMs() - askedMs < BELIEVED_MS) return free
    askedMs = elapsedMs()
    spent = 0
    const asking = disk.freeBytes(folder)
    free = asking
    asking.catch(() => {
      if (free === asking) free = null
    })
    return asking
  }
  /** Do not await between this check and the reservation. */
  const fits = (bytes: number, most: number) => {
    if (most - reserved - spent - bytes < FREE_FLOOR_BYTES) throw new FilesFull()
  }
  return {
    check: async (bytes) => fits(bytes, await freeBytes()),
    async reserve(bytes) {
      fits(bytes, await freeBytes())
      reserved += bytes
      return () => {
        reserved -= bytes
        spent += bytes
      }
    },
  }
}

// Links are self-contained: the bound values and a MAC over them, so any node can check them and none keeps a list. The
// content is not secret, but a link grants access, so links are never logged.

/** Maximum length of our links: names and types have at most 255 bytes. */
const TOKEN_MAX_CHARACTERS = 4_096
const MAC_BYTES = 32

type Put = readonly ['put', string, string, number, string, string | null, number]
type Get = readonly ['get', string, number, string, string | null, string, string, string, number]

export function putToken(key: Uint8Array, upload: string, expected: Expected, expiresMs: number): string {
  const { blob, size, contentType, sha256 } = expected
  return signed(key, ['put', upload, blob, size, contentType, sha256, expiresMs])
}

export function getToken(key: Uint8Array, offered: Offered, expiresMs: number): string {
  const { blob, size, contentType, sha256, name, bucket, download } = offered
  return signed(key, ['get', blob, size, contentType, sha256, name, bucket, download, expiresMs])
}

function signed(key: Uint8Array, content: Put | Get): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${text}.${toBase64url(keyedDigest(key, text))}`
}

/** The content of a token; null if it was not signed with this key or has expired. `nowMs`: Unix milliseconds. */
export function linkOf(key: Uint8Array, token: string, nowMs: number): Link | null {
  const dot = token.indexOf('.')
  if (dot < 0 || token.length > TOKEN_MAX_CHARACTERS) return null
  const text = token.slice(0, dot)
  const mac = fromBase64url(token.slice(dot + 1), MAC_BYTES)
  if (mac === null || !timingSafeEqual(mac, keyedDigest(key, text))) return null
  const link = read(JSON.parse(Buffer.from(text, 'base64url').toString()))
  return nowMs < link.expiresMs ? link : null
}

function read(content: Put | Get): Link {
  if (content[0] === 'put') {
    const [kind, upload, blob, size, contentType, sha256, expiresMs] = content
    return { kind, upload, expected: { blob, size, contentType, sha256 }, expiresMs }
  }
  const [kind, blob, size, contentType, sha256, name, bucket, download, expiresMs] = content
  return { kind, offered: { blob, size, contentType, sha256, name, bucket, download }, expiresMs }
}
