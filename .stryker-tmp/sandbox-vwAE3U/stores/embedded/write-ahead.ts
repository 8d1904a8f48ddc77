// Syncs the write-ahead log (WAL) of one SQLite file and folds it into the file without blocking the event loop:
// SQLite writes, and the thread pool waits for the disk on separate file descriptors.

import { closeSync, fdatasync, openSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { isDiskFull } from './disk-full.ts'
import { clearUnused, pagesToClear } from './unused-bytes.ts'

export interface WriteAhead {
  /** Whether at least so many bytes are not folded into the file yet, and no try of it failed just before for lack of room. */
  isFoldDue(bytes: number): boolean
  /** Resolves when all that was committed before the call is durable. */
  sync(): Promise<void>
  /**
   * Folds what was synced into the file, so that SQLite can rewind the WAL. Nothing may be written until it has ended. Where the
   * file has no room, the WAL keeps what it holds.
   */
  fold(): Promise<void>
  /** Folds all, durably, and empties the WAL. Blocks. */
  truncate(): void
  /** Clears what a table's first page leaves unused. Only right after `truncate`, with no transaction open. Blocks. */
  clearFirstPage(table: string): void
  /** Pages of the file with copies of rows in their unused bytes. Reads the whole file, in the thread pool. */
  pagesToClear(): Promise<number[]>
  /** Clears what these pages leave unused. Only right after `truncate`, with no transaction open. Blocks. */
  clear(pages: readonly number[]): void
  /** Only once the database is closed. */
  close(): void
}

/** A fold that found no room is not tried again before. */
const FOLD_AGAIN_MS = 1_000

export type Sync = (fd: number) => Promise<void>

/** After this only its owner checkpoints; a rejection means that nothing which was not durable before can be relied on. */
export function openWriteAhead(db: DatabaseSyncInstance, path: string, sync: Sync = syncData): WriteAhead {
  // SQLite must not checkpoint by itself: it would swallow the error of a failed fsync, and a later one would succeed
  // although the pages were never written.
  db.exec('PRAGMA wal_autocheckpoint=0')
  const noop = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  const { page_size: pageBytes } = db.prepare('PRAGMA page_size').get() as { page_size: number }
  // Two descriptors for as long as the database is open. The WAL is never replaced (SQLite rewinds it in place), and a
  // descriptor opened before a write is certain to hear of that write's failure. Closing any descriptor of the file itself
  // drops the locks that SQLite has on it, so both are closed after it.
  const wal = openSync(`${path}-wal`, 'r')
  const file = openSync(path, 'r+')

  let triedMs = Number.NEGATIVE_INFINITY

  async function fold(): Promise<void> {
    // Without its own syncs: the WAL is synced already, and until the file is, nothing may overwrite the WAL, from which
    // SQLite would recover it.
    db.exec('PRAGMA synchronous=OFF')
    try {
      checkpoint(db, 'PASSIVE')
    } catch (error) {
      if (!isDiskFull(error)) throw error
      // SQLite rewinds the WAL only after a checkpoint that succeeded: all of it is still read from there.
      triedMs = performance.now()
      return
    } finally {
      db.exec('PRAGMA synchronous=NORMAL')
    }
    await sync(file)
  }

  function clear(pages: readonly number[]): void {
    // A page that SQLite holds in memory would be written back with its old bytes.
    db.exec('PRAGMA shrink_memory')
    clearUnused(file, pages, pageBytes)
  }

  return {
    isFoldDue: (bytes) => {
      const { log, checkpointed } = noop.get() as { log: number; checkpointed: number }
      return (log - checkpointed) * pageBytes >= bytes && performance.now() - triedMs >= FOLD_AGAIN_MS
    },
    sync: () => sync(wal),
    fold,
    truncate: () => checkpoint(db, 'TRUNCATE'),
    clearFirstPage: (table) => {
      const pages = firstPagesOf(db, table)
      if (pages.length > 0) clear(pages)
    },
    pagesToClear: () => pagesToClear(file, pageBytes),
    clear,
    close: () => {
      closeSync(wal)
      closeSync(file)
    },
  }
}

/** The first page of a table; none where there is no such table. */
function firstPagesOf(db: DatabaseSyncInstance, table: string): number[] {
  const rootOf = db.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const root = rootOf.get(table) as { page: number } | undefined
  return root === undefined ? [] : [root.page]
}

function checkpoint(db: DatabaseSyncInstance, mode: 'PASSIVE' | 'TRUNCATE'): void {
  const { busy } = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as { busy: number }
  if (busy !== 0) throw new Error('The checkpoint was blocked although nobody else can have the file open')
}

function syncData(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
}
