// The SQLite file of the read models: when it may be written, when its WAL is checkpointed into the file, and what
// happens if the disk fails or the file is damaged.
//
// Nothing may be committed during a checkpoint of the WAL. A writer waits with `while
// (file.walCheckpoint !== null) await file.walCheckpoint`, and calls `settle` in the same step, so that no checkpoint
// can begin in between. A writer of the open transaction waits for `untilWritable` in the same way, which is shorter:
// SQLite writes nothing before the COMMIT, so the transaction can grow while the file is synced.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { isDamaged, replaceErrors } from './damaged.ts'
import { closeDerived, DerivedDamaged, moveDamaged, openDerived } from './derived-database.ts'
import { leaveOpen, mapWhileCached, openExclusive, VIEWS_CACHE_KIB } from './exclusive-database.ts'
import { HeldTransaction } from './held-transaction.ts'
import { DiskFull, isDiskFull, primaryCode, SQLITE_CONSTRAINT } from './sqlite-error.ts'
import { isOlder, VIEWS_SCHEMA } from './views-schema.ts'
import { type Sync, WriteAhead } from './write-ahead.ts'

/** WAL size in bytes that triggers a checkpoint, which also truncates the WAL to this size. */
const CHECKPOINT_WAL_BYTES = 4 * 2 ** 20

/** SQLite's text if `json_array` meets a BLOB. */
const BLOB_FOUND = 'JSON cannot hold BLOB values'

interface WalCheckpoint {
  /** The first step: syncs the WAL and copies it into the file. Nothing may be written until it is null again. */
  copying: Promise<boolean> | null
  /** Resolves when the file is synced. Nothing may be committed until then. */
  readonly ended: Promise<void>
}

export class ViewsFile {
  readonly db: DatabaseSyncInstance
  readonly transactions: HeldTransaction
  readonly #path: string
  readonly #wal: WriteAhead
  readonly #onFailure: ViewsOptions['onFailure']
  #checkpoint: WalCheckpoint | null = null
  /** Work beside commits that no checkpoint may interrupt: the sync before one, or the reading of a purge. */
  #working: Promise<unknown> | null = null
  #broken: Error | null = null

  /** Opens or creates the file. Throws FolderInUse if another process has it open. */
  constructor(path: string, { onFailure, sync, onOpened, mappableBytes, isTemporary }: ViewsOptions) {
    this.#path = path
    this.#onFailure = onFailure
    const isSummed = isTemporary !== true
    this.db = isSummed ? openDerived(path, VIEWS_SCHEMA, isOlder) : openExclusive(path, VIEWS_SCHEMA)
    replaceErrors(this.db, (error) =>
      isDamaged(error) || isContradiction(error) ? this.reportDamage(String((error as Error).message), error) : error,
    )
    onOpened?.(this.db)
    // Overwrites deleted text in its page, so that nothing of a deleted player remains. Older copies of the page stay
    // in the WAL until it is checkpointed.
    this.db.exec('PRAGMA secure_delete=ON')
    const onCheckpointed = mapWhileCached(this.db, path, mappableBytes)
    this.db.exec(`PRAGMA cache_size=-${VIEWS_CACHE_KIB}; PRAGMA journal_size_limit=${CHECKPOINT_WAL_BYTES}`)
    this.#wal = new WriteAhead(this.db, path, { sync, onCheckpointed, isSummed })
    this.transactions = new HeldTransaction(this.db, {
      mayCommit: () => this.#checkpoint === null && this.#broken === null,
      lost: (cause) => this.#fail('written', cause),
      onBegun: () => this.#wal.markCycle(),
      onTimedCommit: () => this.checkpointWalIfDue(),
    })
  }

  /** Resolves when the running checkpoint ends; null if none is running. */
  get walCheckpoint(): Promise<void> | null {
    return this.#checkpoint?.ended ?? null
  }

  /** Resolves when what runs beside commits may have ended; null if nothing does. */
  get #busy(): Promise<unknown> | null {
    return this.#working ?? this.walCheckpoint
  }

  /** Resolves when `transactions` may take more work; null if it may now. */
  get untilWritable(): Promise<unknown> | null {
    if (this.#checkpoint === null) return null
    const { copying, ended } = this.#checkpoint
    return copying ?? (this.transactions.isFull() ? ended : null)
  }

  /** Throws after a disk failure, or if the file is damaged. */
  check(): void {
    if (this.#broken !== null) throw this.#broken
  }

  /**
   * Call it if something in the file cannot be what was written; `what`: without texts of callers. Moves the file away
   * and reports it, once. Returns the error to throw.
   */
  reportDamage(what: string, cause?: unknown): Error {
    return this.#break(() => moveDamaged(this.#path, what, cause))
  }

  /** Commits the open transaction. Call it while no checkpoint runs; begin your own before the next await. */
  settle(): void {
    this.check()
    this.transactions.settle()
  }

  /**
   * Waits until no checkpoint runs, then commits the open transaction. When the caller continues, another one may be
   * open.
   */
  async settleAfterCheckpoint(): Promise<void> {
    while (this.walCheckpoint !== null) await this.walCheckpoint
    this.settle()
  }

  /** Resolves when everything that was committed before the call is durable. */
  async durable(): Promise<void> {
    await this.settleAfterCheckpoint()
    try {
      await this.#wal.sync()
    } catch (error) {
      this.#fail('synced to disk', error)
    }
    this.check()
    // Commits that are made durable one by one leave no other moment for it.
    this.checkpointWalIfDue()
  }

  /** Begins a checkpoint if the WAL is large and no transaction is open. */
  checkpointWalIfDue(): void {
    if (!this.db.isOpen || this.#working !== null || this.#checkpoint !== null || this.transactions.isHeld()) return
    if (this.#wal.isCheckpointDue(CHECKPOINT_WAL_BYTES)) this.#working = this.#syncAndCheckpoint()
  }

  /**
   * Checkpoints the whole WAL, mostly in the thread pool, and clears copies of rows that SQLite left when it moved
   * them. Throws DiskFull if the disk is full.
   */
  async purge(): Promise<void> {
    try {
      while (this.#busy !== null) await this.#busy
      this.settle()
      this.#checkpointWal()
      while (this.#busy !== null) await this.#busy
      const reading = this.#wal.pagesToClear()
      this.#working = reading.catch(() => {})
      let pages: readonly number[]
      try {
        pages = await reading
      } finally {
        this.#working = null
      }
      this.settle()
      // SQLite may have copied rows to pages that were read before.
      const written = this.#wal.pagesWritten()
      this.#wal.truncate()
      this.#wal.clear([...new Set([...pages, ...written])])
      this.#wal.markCycle()
    } catch (error) {
      if (isDiskFull(error)) throw new DiskFull(this.#path, error)
      this.#fail('purged', error)
      throw error
    }
  }

  async close(): Promise<void> {
    while (this.#busy !== null) await this.#busy
    if (!this.db.isOpen) return
    try {
      if (this.#broken === null) this.transactions.settle()
    } catch (error) {
      // The disk is full. The next start applies the events of the open transaction again.
      if (!isDiskFull(error)) throw error
    } finally {
      this.transactions.end()
      if (this.db.isTransaction) this.db.exec('ROLLBACK')
      if (this.#broken === null) closeDerived(this.db, this.#wal)
      // A damaged file is not used again, so its WAL may go.
      else if (this.#broken instanceof DerivedDamaged) this.db.close()
      else leaveOpen(this.db)
      this.#wal.close()
    }
  }

  async #syncAndCheckpoint(): Promise<void> {
    try {
      await this.#wal.sync()
    } catch (error) {
      this.#fail('synced to disk', error)
    }
    this.#working = null
    if (this.#broken !== null || this.#checkpoint !== null) return
    try {
      this.settle()
    } catch {
      // The disk is full, and the transaction is kept.
      return
    }
    this.#checkpointWal()
  }

  /** Call it without an open transaction. */
  #checkpointWal(): void {
    const copying = this.#copyToFile()
    this.#checkpoint = { copying, ended: this.#syncFile(copying) }
  }

  /** False if the disk is full, or broken. */
  async #copyToFile(): Promise<boolean> {
    try {
      await this.#wal.sync()
      return this.#wal.copyToFile()
    } catch (error) {
      this.#fail('synced to disk', error)
      return false
    }
  }

  async #syncFile(copying: Promise<boolean>): Promise<void> {
    const isCopied = await copying
    if (this.#checkpoint !== null) this.#checkpoint.copying = null
    try {
      if (isCopied) await this.#wal.syncFile()
    } catch (error) {
      this.#fail('synced to disk', error)
    }
    this.#checkpoint = null
  }

  #fail(what: string, cause: unknown): void {
    this.#break(() => new Error(`${this.#path} could not be ${what}; nothing more is written`, { cause }))
  }

  #break(errorOf: () => Error): Error {
    if (this.#broken !== null) return this.#broken
    const broken = errorOf()
    this.#broken = broken
    this.#onFailure?.(broken)
    return broken
  }
}

/**
 * Whether rows contradict what this program writes: none of its writes violates a constraint, and none of its rows has
 * a BLOB.
 */
function isContradiction(error: unknown): boolean {
  return primaryCode(error) === SQLITE_CONSTRAINT || (error instanceof Error && error.message === BLOB_FOUND)
}

export interface ViewsOptions {
  /** Maximum characters of cached documents, as for `MAX_CACHED_CHARACTERS`. */
  readonly documentCharacters?: number | undefined
  /**
   * The files are mapped into memory while the SQLite files of their folder have at most these bytes together. Default:
   * no limit.
   */
  readonly mappableBytes?: number | undefined
  /**
   * Keeps all indexes in the file, those too that a view declares as its `ranking`: if another store has the rankings.
   */
  readonly ranksInFile?: boolean
  /** A file that no later process opens has no checksums. */
  readonly isTemporary?: true
  /** Called once if a disk failure loses acknowledged writes; the process should stop. */
  readonly onFailure?: (error: Error) => void
  /** Instead of fdatasync, for tests. */
  readonly sync?: Sync
  /** Called with the connection, for tests. */
  readonly onOpened?: (db: DatabaseSyncInstance) => void
}
