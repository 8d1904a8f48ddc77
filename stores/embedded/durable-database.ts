// Group commit for SQLite without blocking the event loop: writes that arrive during a sync go into one transaction
// and share the next sync. The log and the vault use it.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { StoresFault } from '../contract/faults.ts'
import { nameDamagedFile, replaceErrors } from './damaged.ts'
import { closeExclusive, leaveOpen, openExclusive } from './exclusive-database.ts'
import { DiskFull, isDiskFull } from './sqlite-error.ts'
import { type Sync, WriteAhead } from './write-ahead.ts'

/** WAL size in bytes that triggers a checkpoint. */
const CHECKPOINT_FROM = 8 * 2 ** 20
/** Milliseconds between two looks at whether the file still has a name. */
const NAME_CHECKED_EVERY_MS = 5_000

/**
 * What happens to old copies of pages after a write: `keep` them in the WAL; `scrub` the WAL; or `purge` the file, too,
 * of copies that SQLite left when it moved rows. A purge reads the whole file while other writes wait.
 */
type Residue = 'keep' | 'scrub' | 'purge'

export interface DurableDatabase {
  /** For reads, and for writes inside `write`. Shows changes of a running write before they are durable. */
  readonly db: DatabaseSyncInstance
  /**
   * Runs `work` in a transaction, possibly shared with concurrent writes, and resolves when it is durable. `work` must
   * throw before it changes anything; otherwise the whole transaction is rolled back and all its writers are rejected.
   * Rejects with DiskFull if the disk is full: the transaction is rolled back, and later writes may succeed. A write
   * that scrubs may then be durable but not scrubbed; the caller must repeat it.
   */
  write<T>(work: () => T, residue?: Residue): Promise<T>
  /** Resolves when everything that is visible in `db` at the time of the call is durable. */
  settled(): Promise<void>
  /** Waits for running writes; later ones are rejected. */
  close(): Promise<void>
}

export interface DurableOptions {
  /**
   * Called once if a sync failed, or if another program removed the file. The outcome of pending writes is unknown
   * then; the process should stop.
   */
  readonly onFailure?: (error: Error) => void
  /** Called after each transaction, before its writers are resolved: it is durable or rolled back. */
  readonly onGroup?: (outcome: 'durable' | 'undone') => void
  /** The table whose first page is cleared of data that older versions left there. */
  readonly cleared?: string
  /** Instead of fdatasync, for tests. */
  readonly sync?: Sync
  /** Called with the connection before anything is read, for tests. */
  readonly onOpened?: (db: DatabaseSyncInstance) => void
}

/**
 * Opens or creates the file at `path` and syncs its content. Throws if another process has it open. If its pages are
 * damaged, `db` throws StoresFault, which names the file.
 */
export async function openDurable(
  path: string,
  schema: string,
  options: DurableOptions = {},
): Promise<DurableDatabase> {
  const db = openExclusive(path, schema)
  replaceErrors(db, nameDamagedFile(path))
  const wal = await openDurably(db, path, options)
  const writes = new DurableWrites({ path, db, wal }, options)
  const endChecks = whileTrue(() => writes.checkNames())
  return {
    db,
    write: (work, residue) => writes.write(work, residue),
    settled: () => writes.settled(),
    close() {
      endChecks()
      return writes.close()
    },
  }
}

/** If it fails, the file is closed, or left open after a failed sync. */
async function openDurably(db: DatabaseSyncInstance, path: string, options: DurableOptions): Promise<WriteAhead> {
  let wal: WriteAhead | null = null
  try {
    options.onOpened?.(db)
    wal = new WriteAhead(db, path, { sync: options.sync })
    await makeAllDurable(wal, options.cleared)
    return wal
  } catch (error) {
    if (wal === null || error instanceof StoresFault) closeExclusive(db)
    else leaveOpen(db)
    wal?.close()
    throw error
  }
}

/** A killed process leaves commits that were never synced. Afterwards everything readable is durable. */
async function makeAllDurable(wal: WriteAhead, cleared: string | undefined): Promise<void> {
  try {
    wal.truncate()
    if (cleared !== undefined) wal.clearFirstPage(cleared)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    // The disk is full. The content stays in the WAL, where it is durable, too.
    await wal.sync()
  }
}

interface DurableFile {
  readonly path: string
  readonly db: DatabaseSyncInstance
  readonly wal: WriteAhead
}

interface Queued extends QueuedWrite {
  readonly residue: Residue
}

class DurableWrites {
  readonly #file: DurableFile
  readonly #options: DurableOptions
  readonly #runTogether: GroupTransaction
  #queue: Queued[] = []
  #running: Promise<void> | null = null
  #inFlight: Promise<void> | null = null
  #stopped: Error | null = null
  #failed = false

  constructor(file: DurableFile, options: DurableOptions) {
    this.#file = file
    this.#options = options
    this.#runTogether = createGroupTransaction(file.db, file.path)
  }

  write<T>(work: () => T, residue: Residue = 'keep'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#stopped !== null) {
        reject(this.#stopped)
        return
      }
      const run = () => {
        const result = work()
        return () => resolve(result)
      }
      this.#queue.push({ residue, run, fail: reject })
      this.#running ??= this.#drain()
    })
  }

  /** The next group begins in a later turn of the event loop, so waiting readers run before it. */
  async settled(): Promise<void> {
    if (this.#inFlight !== null) await this.#inFlight
    if (this.#stopped !== null) throw this.#stopped
  }

  async close(): Promise<void> {
    const { path, db, wal } = this.#file
    this.#stopped ??= new Error(`${path} is closed`)
    while (this.#running !== null) await this.#running
    if (!db.isOpen) return
    if (this.#failed) leaveOpen(db)
    else closeExclusive(db)
    wal.close()
  }

  /**
   * Writes groups until none is waiting. Starts in the next turn of the event loop, to collect the writes of this one.
   */
  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await nextTurn()
      const group = this.#queue
      this.#queue = []
      this.#inFlight = this.#writeGroup(group)
      await this.#inFlight
      this.#inFlight = null
    }
    this.#running = null
  }

  async #writeGroup(group: readonly Queued[]): Promise<void> {
    let outcome: ReturnType<GroupTransaction>
    let notScrubbed: DiskFull | null = null
    try {
      outcome = this.#runTogether(group)
      if ('settle' in outcome) notScrubbed = await this.#makeDurable(group)
    } catch (error) {
      this.#fail(group, error)
      return
    }
    if ('undone' in outcome) {
      this.#options.onGroup?.('undone')
      for (const queued of group) queued.fail(outcome.undone)
      return
    }
    this.#options.onGroup?.('durable')
    for (const [i, { residue, fail }] of group.entries()) {
      if (residue !== 'keep' && notScrubbed !== null) fail(notScrubbed)
      else outcome.settle[i]?.()
    }
    await this.#checkpointWal()
  }

  /**
   * Returns the error if the WAL could not be scrubbed because the disk is full. The writes are durable nevertheless.
   */
  async #makeDurable(group: readonly Queued[]): Promise<DiskFull | null> {
    const { wal } = this.#file
    const isScrubbed = group.some(({ residue }) => residue !== 'keep')
    const notScrubbed = isScrubbed ? this.#truncateWhereRoom() : null
    const isCleared = notScrubbed === null && group.some(({ residue }) => residue === 'purge')
    if (isCleared) wal.clear(await wal.pagesToClear())
    // After a truncation this syncs the truncation itself.
    await wal.sync()
    return notScrubbed
  }

  #truncateWhereRoom(): DiskFull | null {
    try {
      this.#file.wal.truncate()
      return null
    } catch (error) {
      if (isDiskFull(error)) return new DiskFull(this.#file.path, error)
      throw error
    }
  }

  /** Between two groups: the next one waits until the file is synced too. */
  async #checkpointWal(): Promise<void> {
    const { wal } = this.#file
    try {
      if (wal.isCheckpointDue(CHECKPOINT_FROM)) await wal.checkpoint()
    } catch (error) {
      this.#fail([], error)
    }
  }

  /**
   * After a failed sync the kernel may have dropped the pages and forgotten the error, so a later sync proves nothing.
   * No write is acknowledged any more.
   */
  #fail(group: readonly Queued[], cause: unknown): void {
    const text = `${this.#file.path} could not be synced to disk; nothing more is written`
    this.#end(group, new Error(text, { cause }))
  }

  /** Returns false once nothing more is written. */
  checkNames(): boolean {
    if (this.#stopped === null && this.#file.wal.isRemoved()) this.#end([], removed(this.#file.path))
    return this.#stopped === null
  }

  #end(group: readonly Queued[], error: Error): void {
    this.#stopped = error
    this.#failed = true
    for (const queued of [...group, ...this.#queue]) queued.fail(error)
    this.#queue = []
    this.#options.onFailure?.(error)
  }
}

/** Calls `check` at intervals until it returns false. Returns how to stop it. */
function whileTrue(check: () => boolean): () => void {
  const next = (): NodeJS.Timeout => {
    const run = () => {
      if (check()) timer = next()
    }
    return setTimeout(run, NAME_CHECKED_EVERY_MS).unref()
  }
  let timer = next()
  return () => clearTimeout(timer)
}

const removed = (path: string) =>
  new Error(
    `${path} or ${path}-wal was removed while this process uses it; nothing more is written. ` +
      'Find out what removes files there, and restore a backup.',
  )

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

interface QueuedWrite {
  /** Does the work inside the transaction. Returns a function that resolves the caller's promise once it is durable. */
  run(): () => void
  fail(error: Error): void
}

/**
 * Runs the group's work in one transaction. Returns the functions that resolve the callers, or the error of a rollback.
 * Throws if the rollback may have failed: the database must no longer be used.
 */
type GroupTransaction = (
  group: readonly QueuedWrite[],
) => { readonly settle: readonly (() => void)[] } | { readonly undone: Error }

/** `path` is for error texts. */
function createGroupTransaction(db: DatabaseSyncInstance, path: string): GroupTransaction {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  return (group) => {
    try {
      begin.run()
      const settle = group.map((queued) => queued.run())
      commit.run()
      return { settle }
    } catch (error) {
      // After some disk errors SQLite has already rolled back.
      if (db.isTransaction) db.exec('ROLLBACK')
      return { undone: isDiskFull(error) ? new DiskFull(path, error) : asError(error) }
    }
  }
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value))
}
