// Opens and closes a SQLite file for exclusive use by this process: WAL mode without a shared-memory file, and an
// exclusive lock, so that a second process on the same data folder fails at once.

import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { FolderInUse } from '../contract/faults.ts'
import { nameNoAccess } from './no-access.ts'
import { makePrivately } from './private-files.ts'
import { primaryCode, SQLITE_BUSY } from './sqlite-error.ts'

/** SQLite's default. Small pages minimise the bytes to sync if commits touch few of them. */
const PAGE_BYTES = 4_096

/**
 * SQLite's page cache in KiB, for a file whose opener sets none. A larger one saves little: the log's newest events and
 * the keys of the vault are in memory already, and the log's index is mapped.
 */
export const CACHE_KIB = 8_192

/**
 * The page cache of views in KiB, for pages that a write reads or changes, and pages that are only in the WAL. Views
 * are written at random places, so they have more of them than other files.
 */
export const VIEWS_CACHE_KIB = 32_768

/**
 * Opens or creates the file and takes its lock. `schema` is idempotent SQL. `pageBytes` is the page size of a new file.
 * Throws FolderInUse if the file is already open, in another process or in this one.
 */
export function openExclusive(path: string, schema: string, pageBytes: number = PAGE_BYTES): DatabaseSyncInstance {
  const db = opened(path)
  try {
    // The lock mode must come before the first access: then the index of the WAL lives on the heap, not in a `-shm`
    // file.
    db.exec('PRAGMA locking_mode=EXCLUSIVE')
    db.exec(`PRAGMA page_size=${pageBytes}; PRAGMA journal_mode=WAL`)
    // Only the owner checkpoints: write-ahead.ts.
    db.exec(`PRAGMA synchronous=NORMAL; PRAGMA cache_size=-${CACHE_KIB}; PRAGMA wal_autocheckpoint=0`)
    // A write transaction takes the lock and creates the WAL file, even if the schema exists already.
    db.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT`)
  } catch (error) {
    db.close()
    throw primaryCode(error) === SQLITE_BUSY ? new FolderInUse(path, error) : nameNoAccess(path, error)
  }
  syncFolder(dirname(path))
  return db
}

function opened(path: string): DatabaseSyncInstance {
  try {
    makePrivately(path)
    return new DatabaseSync(path)
  } catch (error) {
    throw nameNoAccess(path, error)
  }
}

/**
 * Checkpoints the WAL, releases the lock and closes. Only leaving WAL mode releases the lock: the binding finalises
 * statements when they are garbage collected, and until then SQLite keeps a closed connection and its lock alive.
 */
export function closeExclusive(db: DatabaseSyncInstance): void {
  try {
    db.exec('PRAGMA journal_mode=DELETE')
    db.exec('PRAGMA locking_mode=NORMAL')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
  } catch {
    // The disk is full: the WAL remains and is checkpointed when the file is next opened.
  } finally {
    db.close()
  }
}

/** References keep the connections open: SQLite closes one that is garbage collected. */
const leftOpen = new Set<DatabaseSyncInstance>()

/**
 * Call it instead of closing after a failed sync. The WAL may have the only durable copy of pages, and SQLite removes
 * it when it closes the file. The next start recovers the file from the WAL. Until the process ends, the file is
 * locked.
 */
export function leaveOpen(db: DatabaseSyncInstance): void {
  // At a normal end of the process Node finalises all objects, which closes the connections; after `process.exit` it
  // does not.
  if (leftOpen.size === 0) process.once('exit', (code) => process.exit(code))
  leftOpen.add(db)
}

/** A new file survives a power cut only after its folder was synced, too. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** The files of a data folder that are read at random places. */
const FILES = ['log.sqlite', 'log-index.sqlite', 'views.sqlite']

/** SQLite's maximum. It reads the rest of a larger file through its page cache. */
const MAX_MAPPED_BYTES = 2 ** 31 - 2 ** 16

/**
 * Maps the file into memory while the files of its folder have at most `mappableBytes` together. A page that is not in
 * the WAL is then read where the system has cached it, without a call and a copy. A page that is not cached costs far
 * more than by a call: the system reads its neighbours, too, and drops other pages for them.
 *
 * Returns a check to call when files may have grown. Only for a file that can be built again: if the disk cannot read a
 * page, the system ends the process with SIGBUS, without an error text.
 */
export function mapWhileCached(
  db: DatabaseSyncInstance,
  path: string,
  mappableBytes = Number.POSITIVE_INFINITY,
): () => void {
  const paths = FILES.map((name) => join(dirname(path), name))
  const check = () => {
    const bytes = paths.reduce((sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0), 0)
    db.exec(`PRAGMA mmap_size=${bytes <= mappableBytes ? MAX_MAPPED_BYTES : 0}`)
  }
  check()
  return check
}
