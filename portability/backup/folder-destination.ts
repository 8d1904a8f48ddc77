// A backup destination in a folder. The lock is a file lock that the operating system releases when the process dies.

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { syncFolder } from '../export/unfinished.ts'
import { type BackupDestination, BackupFault, type DestinationLock } from './destination.ts'
import { LISTS, LOGS, MANIFESTS, SECRETS } from './objects.ts'

const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700
const LOCK = 'lock'
const PARTIAL = '.partial'
const SQLITE_BUSY = 5
/** More than any object of a backup has. */
const MAX_OBJECT_BYTES = 128 << 20

export function folderDestination(folder: string): BackupDestination {
  const made = new Set<string>()

  async function write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(folder, name)
    const within = dirname(path)
    if (!made.has(within)) await makeDurably(folder, within)
    made.add(within)
    const partial = join(within, `.${randomBytes(6).toString('hex')}${PARTIAL}`)
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
    list: async (prefix) => {
      const names = await filesBelow(join(folder, prefix))
      return names
        .filter((name) => !name.endsWith(PARTIAL))
        .map((name) => prefix + name)
        .sort()
    },
    read: (name) => readRegular(join(folder, name)),
    write,
    remove: (name) => rm(join(folder, name), { force: true }),
    async lock() {
      const lock = await lockFolder(folder)
      try {
        for (const own of [MANIFESTS, LISTS, SECRETS, LOGS]) await removePartials(join(folder, own))
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

/** Paths of the files below a folder, which may not exist, relative to it. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessMissing)
  const found: string[] = []
  for (const entry of entries ?? []) {
    const { name } = entry
    if (!entry.isDirectory()) found.push(name)
    else found.push(...(await filesBelow(join(folder, name))).map((below) => `${name}/${below}`))
  }
  return found
}

const isPartial = (path: string): boolean => basename(path).startsWith('.') && path.endsWith(PARTIAL)

/** Removes what interrupted backups left below a folder. */
async function removePartials(folder: string): Promise<void> {
  for (const path of (await filesBelow(folder)).filter(isPartial)) await rm(join(folder, path), { force: true })
}

/** An empty SQLite database, used only for its file lock: Node has no file locks. */
async function lockFolder(folder: string): Promise<DestinationLock> {
  await mkdir(folder, { recursive: true, mode: OWNER_FOLDER })
  let db: DatabaseSyncInstance | null = null
  try {
    db = new DatabaseSync(join(folder, LOCK))
    db.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (failure) {
    db?.close()
    if ((failure as { errcode?: number }).errcode === SQLITE_BUSY) {
      throw new BackupFault(`Another backup, verification or restore is using ${folder}. Wait until it has ended.`)
    }
    throw new BackupFault(`${folder} cannot be locked, which needs the right to write there: ${failure}`)
  }
  return { check: () => {}, confirm: async () => {}, release: async () => db?.close() }
}

async function makeDurably(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_FOLDER })
  for (let at = folder; at.length > root.length; at = dirname(at)) await syncFolder(dirname(at))
}

function unlessMissing(failure: NodeJS.ErrnoException): null {
  if (failure.code === 'ENOENT') return null
  throw failure
}
