// Syncs the write-ahead log (WAL) of one SQLite file and checkpoints it into the file. SQLite's writes block the event loop; syncs do not:
// the thread pool waits for them, on separate file descriptors.

import { closeSync, existsSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import { isDiskFull } from './disk-full.ts'
import { closeExclusive } from './exclusive-database.ts'
import { createSums, PageSums, type SummedFile, sumsPathOf } from './page-sums.ts'
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
  /** Checkpoints everything durably and truncates the WAL. Blocks. With sums, call `markCycle` before anything else is written. */
  truncate(): void
  /** With sums: call it first in each transaction that may begin during a checkpoint. */
  markCycle(): void
  /** With sums: checkpoints everything durably. Blocks. Call it before the database is closed, without an open transaction, unless a sync failed. */
  finish(): void
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

interface WriteAheadOptions {
  /** Instead of fdatasync, for tests. */
  readonly sync?: Sync | undefined
  /** Called after each checkpoint. */
  readonly onCheckpointed?: () => void
  /** Whether the file has checksums of its pages: then its schema has `CYCLE_SCHEMA`. */
  readonly isSummed?: boolean
}

/**
 * From now on only the owner checkpoints. SQLite must not do it by itself: it would swallow the error of a failed fsync, and a later
 * one would succeed although the pages were never written. After a rejection, nothing that was not durable before can be relied on.
 *
 * With sums, it verifies all pages of the file, before anything is written to it. Throws NotAsWritten; then the database is closed.
 */
export function openWriteAhead(db: DatabaseSyncInstance, path: string, options: WriteAheadOptions = {}): WriteAhead {
  const { sync = syncData, onCheckpointed = () => {}, isSummed = false } = options
  const noop = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  const { page_size: pageBytes } = db.prepare('PRAGMA page_size').get() as { page_size: number }
  // Two descriptors for as long as the database is open. The WAL is never replaced (SQLite rewinds it in place), and a
  // descriptor opened before a write is certain to report that write's failure. Closing any descriptor of the file itself
  // drops the locks that SQLite has on it, so both are closed after it.
  const wal = openSync(`${path}-wal`, 'r')
  const file = openSync(path, 'r+')

  let checkpointFailedMs = Number.NEGATIVE_INFINITY
  const framesOf = (): Frames => noop.get() as unknown as Frames
  const sums = isSummed ? openSums({ path, db, file, wal, pageBytes }, framesOf) : null
  let recording: Iterable<void> = []

  function copyToFile(): boolean {
    const { log } = framesOf()
    const isCopied = copyUnsynced(db)
    if (!isCopied) checkpointFailedMs = performance.now()
    else recording = sums?.record(log) ?? []
    return isCopied
  }

  async function recordSums(): Promise<void> {
    if (sums === null) return
    for (const _ of recording) await yieldToEventLoop()
    await sync(sums.fd)
  }

  async function syncFile(): Promise<void> {
    await Promise.all([sync(file), recordSums()])
    markCycle()
    onCheckpointed()
  }

  /** In the open transaction, or in one of its own. The disk may be full: then a later transaction does it. */
  function markCycle(): void {
    try {
      sums?.markCycle()
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }

  /** As `checkpoint`, and blocks. */
  function checkpointNow(): void {
    if (sums === null) return
    fdatasyncSync(wal)
    if (!copyToFile()) return
    for (const _ of recording);
    fdatasyncSync(file)
    fdatasyncSync(sums.fd)
  }

  markCycle()
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
      const { log, checkpointed } = framesOf()
      return (log - checkpointed) * pageBytes >= bytes && performance.now() - checkpointFailedMs >= CHECKPOINT_RETRY_MS
    },
    sync: () => sync(wal),
    checkpoint,
    copyToFile,
    syncFile,
    truncate: () => {
      checkpointNow()
      runCheckpoint(db, 'TRUNCATE')
    },
    markCycle,
    finish: () => {
      if (sums === null || !db.isOpen) return
      try {
        checkpointNow()
      } finally {
        sums.close()
      }
    },
    clearFirstPage: (table) => {
      const pages = firstPagesOf(db, table)
      if (pages.length > 0) clear(pages)
    },
    pagesToClear: () => pagesToClear(file, pageBytes),
    pagesWritten: () => pagesInWal(wal, pageBytes),
    clear,
    close: () => {
      if (db.isOpen) return
      sums?.close()
      closeSync(wal)
      closeSync(file)
    },
  }
}

interface Frames {
  readonly log: number
  readonly checkpointed: number
}

/** A file without sums is new: `openDerived` removes any other. */
function openSums(of: SummedFile, framesOf: () => Frames): PageSums {
  try {
    if (!existsSync(sumsPathOf(of.path))) {
      runCheckpoint(of.db, 'TRUNCATE')
      createSums(of)
    }
    return new PageSums(of, framesOf().log)
  } catch (error) {
    closeExclusive(of.db)
    closeSync(of.wal)
    closeSync(of.file)
    throw error
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
