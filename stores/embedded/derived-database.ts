// Opens and closes a SQLite file that can be built again from the log, with checksums of its pages. A file without
// them, of an older version or from an interrupted first start, is created again.

import { existsSync, rmSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { closeExclusive, leaveOpen, openExclusive } from './exclusive-database.ts'
import { CYCLE_SCHEMA } from './page-sums.ts'
import { sumsPathOf } from './page-sums-file.ts'
import type { WriteAhead } from './write-ahead.ts'

/**
 * `isOlder`: whether the file has an older format; it must leave no prepared statement, which would keep the closed
 * connection alive, and that later removes the WAL of the new file. Throws FolderInUse if the file is open.
 */
export function openDerived(
  path: string,
  schema: string,
  isOlder: (db: DatabaseSyncInstance) => boolean = () => false,
): DatabaseSyncInstance {
  const open = () => openExclusive(path, schema + CYCLE_SCHEMA)
  const isNew = !existsSync(path)
  const db = open()
  if (existsSync(sumsPathOf(path)) ? !isNew && !isOlder(db) : isNew) return db
  db.close()
  removeDerived(path)
  return open()
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
  for (const end of ['-sums', '-sums.new', '', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true })
}
