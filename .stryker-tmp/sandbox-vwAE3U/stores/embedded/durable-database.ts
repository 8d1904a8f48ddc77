// Group commit for SQLite without blocking the event loop: writes that arrive during a sync go into one transaction
// and share the next sync. The log and the vault use it.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { DiskFull, isDiskFull } from './disk-full.ts'
import { closeExclusive, openExclusive } from './exclusive-database.ts'
import { createGroupTransaction, type GroupTransaction, type QueuedWrite } from './group-transaction.ts'
import { openWriteAhead, type Sync, type WriteAhead } from './write-ahead.ts'

/** Bytes of WAL from which on it is folded into the file. */
const FOLDED_FROM = 8 * 2 ** 20

/**
 * What a write leaves behind: `keep` the WAL as it is; `scrub` it, so that no older copy of a page stays in it; or `purge` the file
 * too of copies that SQLite left when it moved rows, which reads all of it while other writes wait.
 */
export type Residue = 'keep' | 'scrub' | 'purge'

export interface DurableDatabase {
  /** For reading, and for writing inside `write`. What a running write changed shows here before it is durable. */
  readonly db: DatabaseSyncInstance
  /**
   * Runs `work` in a transaction, alone or with others that came meanwhile, and answers when it is durable. `work` checks
   * first and throws only before it has changed anything, or else all of its transaction is undone and rejected with it.
   * Rejects with DiskFull where the disk has no room: all of the transaction is undone, and later writes may succeed. A write
   * that scrubs may then be durable, but not scrubbed: it is to be repeated.
   */
  write<T>(work: () => T, residue?: Residue): Promise<T>
  /** Resolves when nothing that shows in `db` right then can be lost any more: read without waiting for anything else. */
  settled(): Promise<void>
  /** Waits for running writes; later ones are rejected. */
  close(): Promise<void>
}

export interface DurableOptions {
  /** Called once when a sync failed. What was not answered is unknown from then on; the process should stop. */
  readonly onFailure?: (error: Error) => void
  /** Called after each transaction and before its writers are answered: it is durable, or was undone whole. */
  readonly onGroup?: (outcome: 'durable' | 'undone') => void
  /** The table whose first page is cleared of what older versions left in it. */
  readonly cleared?: string
  /** Instead of fdatasync, for tests. */
  readonly sync?: Sync
  /** Called with the connection before anything is read, for tests. */
  readonly onOpened?: (db: DatabaseSyncInstance) => void
}

/** Opens or creates the file at `path` and makes all that it holds durable. Throws where another process has it open. */
export async function openDurable(
  path: string,
  schema: string,
  options: DurableOptions = {},
): Promise<DurableDatabase> {
  const db = openExclusive(path, schema)
  options.onOpened?.(db)
  const wal = openWriteAhead(db, path, options.sync)
  await makeAllDurable(wal, options.cleared)
  const writes = new DurableWrites({ path, db, wal }, options)
  return {
    db,
    write: (work, residue) => writes.write(work, residue),
    settled: () => writes.settled(),
    close: () => writes.close(),
  }
}

/** A process that was killed leaves commits that were never synced. After this, all that can be read is durable. */
async function makeAllDurable(wal: WriteAhead, cleared: string | undefined): Promise<void> {
  try {
    wal.truncate()
    if (cleared !== undefined) wal.clearFirstPage(cleared)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    // The file has no room for what the WAL holds: that stays there, and is durable too.
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

  /** The next group begins in a later turn of the event loop: a waiting caller reads before it. */
  async settled(): Promise<void> {
    if (this.#inFlight !== null) await this.#inFlight
    if (this.#stopped !== null) throw this.#stopped
  }

  async close(): Promise<void> {
    const { path, db, wal } = this.#file
    this.#stopped ??= new Error(`${path} is closed`)
    while (this.#running !== null) await this.#running
    if (!db.isOpen) return
    // After a failure nothing may be folded into the file; the next start recovers what the WAL truly holds.
    if (this.#failed) db.close()
    else closeExclusive(db)
    wal.close()
  }

  /** Group after group until nothing waits. Starts with the next turn of the event loop, to gather this one's writes. */
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
    await this.#foldWal()
  }

  /** Answers why the WAL could not be scrubbed where its file had no room; the writes are durable nevertheless. */
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
  async #foldWal(): Promise<void> {
    try {
      if (this.#file.wal.isFoldDue(FOLDED_FROM)) await this.#file.wal.fold()
    } catch (error) {
      this.#fail([], error)
    }
  }

  /**
   * After a failed sync the kernel may have dropped the pages and forgotten the error: another sync proves nothing, so
   * nothing is ever acknowledged again.
   */
  #fail(group: readonly Queued[], cause: unknown): void {
    const error = new Error(`${this.#file.path} could not be synced to disk; nothing more is written`, { cause })
    this.#stopped = error
    this.#failed = true
    for (const queued of [...group, ...this.#queue]) queued.fail(error)
    this.#queue = []
    this.#options.onFailure?.(error)
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
