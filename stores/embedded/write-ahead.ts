// Syncs the write-ahead log (WAL) of one SQLite file and checkpoints it into the file. SQLite's writes block the event loop; syncs do not:
// the thread pool waits for them, on separate file descriptors.

import { closeSync, fdatasync, openSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { isDiskFull } from './disk-full.ts'
import { clearUnused, pagesToClear } from './unused-bytes.ts'
import { pagesInWal } from './wal-pages.ts'

export interface WriteAhead {
  /** Whether at least this many bytes are not checkpointed yet, and no recent checkpoint failed because the disk was full. */
  isCheckpointDue(bytes: number): boolean
  /** Resolves when everything committed before the call is durable. */
  sync(): Promise<void>
  /**
   * Copies the synced frames into the file and syncs it. Nothing may be committed until it has resolved. If the disk is full,
   * the WAL keeps its frames. If it rejects, the WAL must never be checkpointed again.
   */
  checkpoint(): Promise<void>
  /**
   * The first step of `checkpoint`: copies the synced frames into the file, so that SQLite can rewind the WAL. Blocks. Nothing
   * may be committed until `syncFile` has resolved. Returns false if the disk is full: the WAL keeps its frames.
   */
  copyToFile(): boolean
  /** The second step of `checkpoint`: resolves when what was copied into the file is durable. */
  syncFile(): Promise<void>
  /** Checkpoints everything durably and truncates the WAL. Blocks. */
  truncate(): void
  /** Clears the unused bytes of a table's first page. Call it directly after `truncate`, without an open transaction. Blocks. */
  clearFirstPage(table: string): void
  /** Pages of the file with copies of rows in their unused bytes. Reads all of it in the thread pool; nothing may be checkpointed meanwhile. */
  pagesToClear(): Promise<number[]>
  /** All pages that were written since SQLite last began the WAL again. */
  pagesWritten(): number[]
  /** Clears the unused bytes of these pages. Call it directly after `truncate`, without an open transaction. Blocks. */
  clear(pages: readonly number[]): void
  /** Call it after the database is closed. If it was left open, does nothing: closing a descriptor would drop SQLite's locks. */
  close(): void
}

/** Minimum milliseconds before a checkpoint that failed on a full disk is retried. */
const CHECKPOINT_RETRY_MS = 1_000

export type Sync = (fd: number) => Promise<void>

/**
 * From now on only the owner checkpoints. After a rejection, nothing that was not durable before can be relied on. `onCheckpointed` is called
 * after each checkpoint.
 */
export function openWriteAhead(
  db: DatabaseSyncInstance,
  path: string,
  sync: Sync = syncData,
  onCheckpointed: () => void = () => {},
): WriteAhead {
  // SQLite must not checkpoint by itself: it would swallow the error of a failed fsync, and a later one would succeed
  // although the pages were never written.
  db.exec('PRAGMA wal_autocheckpoint=0')
  const noop = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  const { page_size: pageBytes } = db.prepare('PRAGMA page_size').get() as { page_size: number }
  // Two descriptors for as long as the database is open. The WAL is never replaced (SQLite rewinds it in place), and a
  // descriptor opened before a write is certain to report that write's failure. Closing any descriptor of the file itself
  // drops the locks that SQLite has on it, so both are closed after it.
  const wal = openSync(`${path}-wal`, 'r')
  const file = openSync(path, 'r+')

  let checkpointFailedMs = Number.NEGATIVE_INFINITY

  function copyToFile(): boolean {
    const isCopied = copyUnsynced(db)
    if (!isCopied) checkpointFailedMs = performance.now()
    return isCopied
  }
  const syncFile = () => sync(file).then(onCheckpointed)
  const checkpoint = async () => {
    if (copyToFile()) await syncFile()
  }

  function clear(pages: readonly number[]): void {
    // A page in SQLite's cache would be written back with its old bytes.
    db.exec('PRAGMA shrink_memory')
    clearUnused(file, pages, pageBytes)
  }

  return {
    isCheckpointDue: (bytes) => {
      const { log, checkpointed } = noop.get() as { log: number; checkpointed: number }
      return (log - checkpointed) * pageBytes >= bytes && performance.now() - checkpointFailedMs >= CHECKPOINT_RETRY_MS
    },
    sync: () => sync(wal),
    checkpoint,
    copyToFile,
    syncFile,
    truncate: () => runCheckpoint(db, 'TRUNCATE'),
    clearFirstPage: (table) => {
      const pages = firstPagesOf(db, table)
      if (pages.length > 0) clear(pages)
    },
    pagesToClear: () => pagesToClear(file, pageBytes),
    pagesWritten: () => pagesInWal(wal, pageBytes),
    clear,
    close: () => {
      if (db.isOpen) return
      closeSync(wal)
      closeSync(file)
    },
  }
}

/**
 * Checkpoints without SQLite's syncs: the WAL is synced already. Until the file is synced, nothing may overwrite the WAL, because
 * SQLite would recover the file from it. Returns false if the disk is full.
 */
function copyUnsynced(db: DatabaseSyncInstance): boolean {
  db.exec('PRAGMA synchronous=OFF')
  try {
    runCheckpoint(db, 'PASSIVE')
    return true
  } catch (error) {
    if (!isDiskFull(error)) throw error
    // SQLite rewinds the WAL only after a successful checkpoint, so it still reads everything from there.
    return false
  } finally {
    db.exec('PRAGMA synchronous=NORMAL')
  }
}

/** The first page of a table; none if the table does not exist. */
function firstPagesOf(db: DatabaseSyncInstance, table: string): number[] {
  const rootOf = db.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const root = rootOf.get(table) as { page: number } | undefined
  return root === undefined ? [] : [root.page]
}

function runCheckpoint(db: DatabaseSyncInstance, mode: 'PASSIVE' | 'TRUNCATE'): void {
  const { busy } = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as { busy: number }
  if (busy !== 0) throw new Error('The checkpoint was blocked, although no other process can have the file open')
}

function syncData(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
}
