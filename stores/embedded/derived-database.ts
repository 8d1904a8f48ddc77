// Opens and closes a SQLite file that can be built again from the log, with checksums of its pages. A file without
// them, of an older version or from an interrupted first start, is created again.

import { existsSync, lstatSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { NotAsWritten } from './damaged.ts'
import { closeExclusive, leaveOpen, openExclusive } from './exclusive-database.ts'
import { CYCLE_SCHEMA } from './page-sums.ts'
import { sumsPathOf } from './page-sums-file.ts'
import type { WriteAhead } from './write-ahead.ts'

/** Of the names of all that belongs to a file. */
const ENDS = ['-sums', '-sums.new', '', '-wal', '-shm', '-journal']

/**
 * `isOlder`: whether the file has an older format; it must leave no prepared statement, which would keep the closed
 * connection alive, and that later removes the WAL of the new file. Throws FolderInUse if the file is open, and
 * NotAsWritten if a folder has its name, or that of a file that belongs to it.
 */
export function openDerived(
  path: string,
  schema: string,
  isOlder: (db: DatabaseSyncInstance) => boolean = () => false,
): DatabaseSyncInstance {
  for (const end of ENDS) requireRegular(`${path}${end}`)
  const open = () => openExclusive(path, schema + CYCLE_SCHEMA)
  const isNew = !existsSync(path)
  const db = open()
  if (existsSync(sumsPathOf(path)) ? !isNew && !isOlder(db) : isNew) return db
  db.close()
  removeDerived(path)
  return open()
}

function requireRegular(path: string): void {
  if (isIrregular(path)) throw new NotAsWritten(`${basename(path)} is no regular file`)
}

/** Whether a path names something else than a file, also by a link, or a link to nothing. */
export function isIrregular(path: string): boolean {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  return isThere && statSync(path, { throwIfNoEntry: false })?.isFile() !== true
}

/**
 * Checkpoints the file with its checksums and closes it. Call it without an open transaction, unless a sync failed
 * before.
 */
export function closeDerived(db: DatabaseSyncInstance, wal: WriteAhead): void {
  try {
    wal.finish()
  } catch {
    // The next start recovers the file from its WAL.
    leaveOpen(db)
    return
  }
  closeExclusive(db)
}

/** Removes the file with all that belongs to it, also while it is open: the next start builds it. */
export function removeDerived(path: string): void {
  for (const end of ENDS) rmSync(`${path}${end}`, { force: true, recursive: true })
}
