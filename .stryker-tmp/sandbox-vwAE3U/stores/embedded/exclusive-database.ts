// Opens and closes a SQLite file for exclusive use by this process: WAL mode without a shared-memory file, and an
// exclusive lock, so that a second process on the same data folder fails at once.

import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { FolderInUse } from '../contract/faults.ts'
import { makePrivately } from './private-files.ts'

const SQLITE_BUSY = 5

/** What SQLite takes by itself: small pages are the least to sync where each commit touches few. */
const PAGE_BYTES = 4_096

/** Kibibytes of pages that SQLite may keep in memory, where nothing else is said. */
export const PAGE_CACHE_KIB = 65_536

/**
 * Opens or creates the file and takes its lock. `schema` is SQL that may run any number of times; a file that is made has pages of
 * `pageBytes`. Throws FolderInUse where another process (or another opening in this one) holds the file.
 */
export function openExclusive(path: string, schema: string, pageBytes: number = PAGE_BYTES): DatabaseSyncInstance {
  makePrivately(path)
  const db = new DatabaseSync(path)
  try {
    // The lock mode must come before the first access: then the index of the WAL lives on the heap, not in a `-shm` file.
    db.exec('PRAGMA locking_mode=EXCLUSIVE')
    db.exec(`PRAGMA page_size=${pageBytes}; PRAGMA journal_mode=WAL`)
    db.exec(`PRAGMA synchronous=NORMAL; PRAGMA cache_size=-${PAGE_CACHE_KIB}`)
    // A write transaction takes the lock and makes the WAL file even where the schema is there already.
    db.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT`)
  } catch (error) {
    db.close()
    throw isBusy(error) ? new FolderInUse(path, error) : error
  }
  syncFolder(dirname(path))
  return db
}

/**
 * Folds the WAL into the file, gives the lock back and closes. Leaving WAL mode is what releases the lock: the binding
 * finalises statements only when they are collected, and until then SQLite keeps a closed connection, and its lock, alive.
 */
export function closeExclusive(db: DatabaseSyncInstance): void {
  try {
    db.exec('PRAGMA journal_mode=DELETE')
    db.exec('PRAGMA locking_mode=NORMAL')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
  } catch {
    // A full disk: the WAL stays and is folded in when the file is next opened.
  } finally {
    db.close()
  }
}

/** A new file is there after a power cut only once its folder has been synced too. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
