// A backup destination in a folder. The lock is a file lock that the operating system releases when the process dies.

import { randomBytes } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { syncFolder } from '../export/unfinished.ts'
import { type BackupDestination, BackupFault, type DestinationLock } from './destination.ts'
import { FOLDERS, isInstallation, isObjectName, LOGS, MAX_OBJECT_BYTES } from './objects.ts'

const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700
const LOCK = 'lock'
const PARTIAL = /^\.[0-9a-f]{12}\.partial$/
const SQLITE_BUSY = 5

export function folderDestination(folder: string): BackupDestination {
  const made = new Set<string>()

  async function write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(folder, name)
    const within = dirname(path)
    const isThere = await isRealFolder(folder, dirname(name))
    if (!isThere || !made.has(within)) await makeDurably(folder, within)
    made.add(within)
    const partial = join(within, `.${randomBytes(6).toString('hex')}.partial`)
    const file = await open(partial, 'wx', OWNER_ONLY)
    try {
      await file.writeFile(bytes)
      await file.sync()
      await file.close()
      await rename(partial, path)
    } catch (failure) {
      await file.close().catch(() => {})
      await rm(partial, { force: true })
      throw failure
    }
    await syncFolder(within)
  }

  return {
    shown: folder,
    list: async (prefix) => (await namesIn(folder, prefix)).objects.sort(),
    async foreignName() {
      for (const own of FOLDERS) {
        const [name] = (await namesIn(folder, own)).foreign
        if (name !== undefined) return name
      }
      return null
    },
    async read(name) {
      await isRealFolder(folder, dirname(name))
      return readRegular(join(folder, name))
    },
    write,
    async remove(name) {
      if (await isRealFolder(folder, dirname(name))) await unlink(join(folder, name)).catch(unlessMissing)
    },
    async lock() {
      const lock = await lockFolder(folder)
      try {
        for (const own of FOLDERS) {
          for (const name of (await namesIn(folder, own)).partial) await unlink(join(folder, name)).catch(unlessMissing)
        }
      } catch (failure) {
        await lock.release()
        throw failure
      }
      return lock
    },
    close: async () => {},
  }
}

/**
 * Null if there is no such file. Throws BackupFault for a link, and for a pipe or device, which could be read for ever.
 */
async function readRegular(path: string): Promise<Buffer | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (failure: NodeJS.ErrnoException) => {
      if (failure.code === 'ELOOP') throw notRegular(path)
      return unlessMissing(failure)
    },
  )
  if (file === null) return null
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw notRegular(path)
    if (stats.size > MAX_OBJECT_BYTES)
      throw new BackupFault(`${path} has ${stats.size} bytes: a backup did not write it.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

const notRegular = (path: string) => new BackupFault(`${path} is no regular file: a backup did not write it.`)

/**
 * Whether there is such a folder below the root. Throws BackupFault for anything else of that name: a
 * program that may write only to a destination could link it to a folder that this process may change.
 */
async function isRealFolder(root: string, name: string): Promise<boolean> {
  let path = root
  for (const part of name.split('/')) {
    path = join(path, part)
    const found = await lstat(path).catch(unlessMissing)
    if (found === null) return false
    if (!found.isDirectory()) throw notReal(path)
  }
  return true
}

const notReal = (path: string) =>
  new BackupFault(
    `${path} is a link or a file, and a backup made a folder there. Nothing in it was read or removed. ` +
      'Find out who put it there, and remove it, or use another folder.',
  )

/** Names below the root, of one of the folders of backups. */
interface Names {
  readonly objects: string[]
  /** What interrupted backups left. */
  readonly partial: string[]
  readonly foreign: string[]
}

/** All empty if there is no such folder. `prefix` ends in `/`. */
async function namesIn(root: string, prefix: string): Promise<Names> {
  const names: Names = { objects: [], partial: [], foreign: [] }
  if (!(await isRealFolder(root, prefix.slice(0, -1)))) return names
  const entries = await readdir(join(root, prefix), { withFileTypes: true }).catch(unlessMissing)
  for (const entry of entries ?? []) {
    if (prefix === LOGS && isInstallation(entry.name) && !entry.isFile()) {
      const { objects, partial, foreign } = await namesIn(root, `${prefix}${entry.name}/`)
      names.objects.push(...objects)
      names.partial.push(...partial)
      names.foreign.push(...foreign)
    } else names[kindOf(prefix, entry)].push(prefix + entry.name)
  }
  return names
}

function kindOf(prefix: string, entry: Dirent): keyof Names {
  if (entry.isDirectory()) return 'foreign'
  if (isObjectName(prefix + entry.name)) return 'objects'
  return PARTIAL.test(entry.name) ? 'partial' : 'foreign'
}

/** An empty SQLite database, used only for its file lock: Node has no file locks. */
async function lockFolder(folder: string): Promise<DestinationLock> {
  const path = join(folder, LOCK)
  let db: DatabaseSyncInstance | null = null
  try {
    await mkdir(folder, { recursive: true, mode: OWNER_FOLDER })
    const inode = await lockFile(path)
    db = new DatabaseSync(path)
    db.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
    if ((await lockFile(path)) !== inode) throw notLock(path)
  } catch (failure) {
    db?.close()
    if (failure instanceof BackupFault) throw failure
    if ((failure as { errcode?: number }).errcode === SQLITE_BUSY) {
      throw new BackupFault(`Another backup, verification or restore is using ${folder}. Wait until it has ended.`)
    }
    throw new BackupFault(`${folder} cannot be locked, which needs the right to write there: ${failure}`)
  }
  return { check: () => {}, confirm: async () => {}, release: async () => db?.close() }
}

/**
 * The inode of the lock, which is created if it is missing. Throws BackupFault unless it is an empty regular file:
 * SQLite follows links, and would change a database that is there or replay a journal next to it.
 */
async function lockFile(path: string): Promise<bigint> {
  // An existing file must not be opened here: closing it would release a lock that this process has on it.
  const created = await open(path, 'wx', OWNER_ONLY).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'EEXIST') return null
    throw failure
  })
  await created?.close()
  const found = await lstat(path, { bigint: true })
  if (!found.isFile() || found.size > 0n) throw notLock(path)
  return found.ino
}

const notLock = (path: string) =>
  new BackupFault(
    `${path} is not the lock of a backup, which is an empty regular file. Nothing was read or written. ` +
      'Remove it if nothing else uses it, or use another folder.',
  )

async function makeDurably(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_FOLDER })
  for (let at = folder; at.length > root.length; at = dirname(at)) await syncFolder(dirname(at))
}

function unlessMissing(failure: NodeJS.ErrnoException): null {
  if (failure.code === 'ENOENT') return null
  throw failure
}
