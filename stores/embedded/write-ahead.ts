// Syncs the write-ahead log (WAL) of one SQLite file and checkpoints it into the file. SQLite's writes block the event
// loop; syncs do not: the thread pool waits for them, on separate file descriptors.

import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync } from 'node:fs'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { openSums, type PageSums } from './page-sums.ts'
import { isDiskFull } from './sqlite-error.ts'
import { clearUnused, pagesToClear } from './unused-bytes.ts'
import { pagesInWal } from './wal-pages.ts'

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

/** The smaller number of hard links of the two files. */
const namesOf = ({ wal, file }: { readonly wal: number; readonly file: number }): number =>
  Math.min(fstatSync(wal).nlink, fstatSync(file).nlink)

/**
 * Once it is open, only its owner checkpoints. SQLite must not do it by itself: it would swallow the error of a failed
 * fsync, and a later one would succeed although the pages were never written. After a rejection, nothing that was not
 * durable before can be relied on.
 *
 * With sums, it verifies all pages of the file, before anything is written to it. Throws NotAsWritten; then the
 * database is closed.
 */
export class WriteAhead {
  readonly #db: DatabaseSyncInstance
  readonly #sync: Sync
  readonly #onCheckpointed: () => void
  readonly #noop: StatementSyncInstance
  readonly #pageBytes: number
  /** Descriptors. `hasNames`: false on a file system that does not count names. */
  readonly #fds: { readonly wal: number; readonly file: number; readonly hasNames: boolean }
  readonly #sums: PageSums | null
  /** The rest of recording the sums of the pages that were copied last, and when a copy last found a full disk. */
  readonly #copied: { recording: Iterable<void>; failedMs: number } = {
    recording: [],
    failedMs: Number.NEGATIVE_INFINITY,
  }

  constructor(db: DatabaseSyncInstance, path: string, options: WriteAheadOptions = {}) {
    const { sync = syncData, onCheckpointed = () => {}, isSummed = false } = options
    this.#db = db
    this.#sync = sync
    this.#onCheckpointed = onCheckpointed
    this.#noop = db.prepare('PRAGMA wal_checkpoint(NOOP)')
    this.#pageBytes = (db.prepare('PRAGMA page_size').get() as { page_size: number }).page_size
    // Two descriptors for as long as the database is open. The WAL is never replaced (SQLite rewinds it in place), and
    // a descriptor opened before a write is certain to report that write's failure. Closing any descriptor of the file
    // itself drops the locks that SQLite has on it, so both are closed after it.
    const fds = { wal: openSync(`${path}-wal`, 'r'), file: openSync(path, 'r+') }
    this.#fds = { ...fds, hasNames: namesOf(fds) > 0 }
    const of = { path, db, ...fds, pageBytes: this.#pageBytes }
    this.#sums = isSummed ? openSums(of, () => this.#frames().log) : null
    this.markCycle()
  }

  /** Whether another program removed the file or its WAL: what is in it is lost when this process ends. */
  isRemoved(): boolean {
    return this.#fds.hasNames && namesOf(this.#fds) === 0
  }

  /** Whether at least this many bytes are not checkpointed yet, and no recent checkpoint found a full disk. */
  isCheckpointDue(bytes: number): boolean {
    const { log, checkpointed } = this.#frames()
    if ((log - checkpointed) * this.#pageBytes < bytes) return false
    return performance.now() - this.#copied.failedMs >= CHECKPOINT_RETRY_MS
  }

  /** Resolves when everything committed before the call is durable. */
  sync(): Promise<void> {
    return this.#sync(this.#fds.wal)
  }

  /**
   * Copies the synced frames into the file and syncs it. Nothing may be committed until it has resolved. If the disk is
   * full, the WAL keeps its frames. If it rejects, the WAL must never be checkpointed again.
   */
  async checkpoint(): Promise<void> {
    if (this.copyToFile()) await this.syncFile()
  }

  /**
   * The first step of `checkpoint`: copies the synced frames into the file, so that SQLite can rewind the WAL. Blocks.
   * Nothing may be committed until `syncFile` has resolved. Returns false if the disk is full: the WAL keeps its
   * frames.
   */
  copyToFile(): boolean {
    const { log } = this.#frames()
    const isCopied = copyUnsynced(this.#db)
    if (isCopied) this.#copied.recording = this.#sums?.record(log) ?? []
    else this.#copied.failedMs = performance.now()
    return isCopied
  }

  /** The second step of `checkpoint`: resolves when what was copied into the file is durable. */
  async syncFile(): Promise<void> {
    await Promise.all([this.#sync(this.#fds.file), this.#recordSums()])
    this.markCycle()
    this.#onCheckpointed()
  }

  /** Checkpoints everything durably, truncates the WAL, and blocks. With sums, call `markCycle` before a write. */
  truncate(): void {
    this.#checkpointSums()
    runCheckpoint(this.#db, 'TRUNCATE')
  }

  /** With sums: call it first in each transaction that may begin during a checkpoint. */
  markCycle(): void {
    try {
      this.#sums?.markCycle()
    } catch (error) {
      // The disk is full: a later transaction marks it.
      if (!isDiskFull(error)) throw error
    }
  }

  /** As `clear`, of a table's first page. */
  clearFirstPage(table: string): void {
    const pages = firstPagesOf(this.#db, table)
    if (pages.length > 0) this.clear(pages)
  }

  /**
   * Pages of the file with copies of rows in their unused bytes. Reads all of it in the thread pool; nothing may be
   * checkpointed meanwhile.
   */
  pagesToClear(): Promise<number[]> {
    return pagesToClear(this.#fds.file, this.#pageBytes)
  }

  /** All pages that were written since SQLite last began the WAL again. */
  pagesWritten(): number[] {
    return pagesInWal(this.#fds.wal, this.#pageBytes)
  }

  /** Clears the unused bytes of these pages. Call it directly after `truncate`, without an open transaction. Blocks. */
  clear(pages: readonly number[]): void {
    // A page in SQLite's cache would be written back with its old bytes.
    this.#db.exec('PRAGMA shrink_memory')
    clearUnused(this.#fds.file, pages, this.#pageBytes)
  }

  /**
   * With sums: checkpoints everything durably. Blocks. Call it before the database is closed, without an open
   * transaction, unless a sync failed.
   */
  finish(): void {
    if (!this.#db.isOpen) return
    try {
      this.#checkpointSums()
    } finally {
      this.#sums?.close()
    }
  }

  /** Call it after the database is closed. Does nothing if it is open: closing a descriptor drops SQLite's locks. */
  close(): void {
    if (this.#db.isOpen) return
    this.#sums?.close()
    closeSync(this.#fds.wal)
    closeSync(this.#fds.file)
  }

  #frames(): Frames {
    return this.#noop.get() as unknown as Frames
  }

  async #recordSums(): Promise<void> {
    if (this.#sums === null) return
    for (const _ of this.#copied.recording) await yieldToEventLoop()
    await this.#sync(this.#sums.fd)
  }

  /** With sums, as `checkpoint`, and blocks. */
  #checkpointSums(): void {
    if (this.#sums === null) return
    fdatasyncSync(this.#fds.wal)
    if (!this.copyToFile()) return
    for (const _ of this.#copied.recording);
    fdatasyncSync(this.#fds.file)
    fdatasyncSync(this.#sums.fd)
  }
}

interface Frames {
  readonly log: number
  readonly checkpointed: number
}

/**
 * Checkpoints without SQLite's syncs: the WAL is synced already. Until the file is synced, nothing may overwrite the
 * WAL, because SQLite would recover the file from it. Returns false if the disk is full.
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
