// Durable writes that share an fsync without blocking the event loop: what is written while one sync runs goes into one
// transaction and waits for the next one. The log and the vault stand on it.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { DiskFull, isDiskFull } from './disk-full.ts'
import { closeExclusive, openExclusive } from './exclusive-database.ts'
import { openWriteAhead, type Sync } from './write-ahead.ts'

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

interface Waiting {
  readonly residue: Residue
  /** Does the work inside the transaction; answers what settles its caller once that is durable. */
  run(): () => void
  fail(error: Error): void
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
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')

  let queue: Waiting[] = []
  let running: Promise<void> | null = null
  let inFlight: Promise<void> | null = null
  let stopped: Error | null = null
  let failed = false

  // A process that was killed leaves commits that were never synced; from here on all that can be read is durable.
  try {
    wal.truncate()
    if (options.cleared !== undefined) wal.clearFirstPage(options.cleared)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    // The file has no room for what the WAL holds: that stays there, and is durable too.
    await wal.sync()
  }

  function write<T>(work: () => T, residue: Residue = 'keep'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (stopped !== null) {
        reject(stopped)
        return
      }
      const run = () => {
        const result = work()
        return () => resolve(result)
      }
      queue.push({ residue, run, fail: reject })
      running ??= drain()
    })
  }

  /** Group after group until nothing waits. Starts with the next turn of the event loop, to gather this one's writes. */
  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await nextTurn()
      const group = queue
      queue = []
      inFlight = writeGroup(group)
      await inFlight
      inFlight = null
    }
    running = null
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    const settle = runTogether(group)
    if (settle === null) return
    let notScrubbed: DiskFull | null = null
    try {
      // The sync after it is for the truncation itself.
      if (group.some(({ residue }) => residue !== 'keep')) notScrubbed = truncateWhereRoom()
      const isCleared = notScrubbed === null && group.some(({ residue }) => residue === 'purge')
      if (isCleared) wal.clear(await wal.pagesToClear())
      await wal.sync()
    } catch (error) {
      fail(group, error)
      return
    }
    options.onGroup?.('durable')
    for (const [i, { residue, fail: reject }] of group.entries()) {
      if (residue !== 'keep' && notScrubbed !== null) reject(notScrubbed)
      else settle[i]?.()
    }
    await foldWal()
  }

  /** Why the WAL could not be folded and emptied, where the file has no room for what it holds. */
  function truncateWhereRoom(): DiskFull | null {
    try {
      wal.truncate()
      return null
    } catch (error) {
      if (isDiskFull(error)) return new DiskFull(path, error)
      throw error
    }
  }

  /** One transaction for all; null where it was undone, and all of them rejected. */
  function runTogether(group: readonly Waiting[]): (() => void)[] | null {
    try {
      begin.run()
      const settle = group.map((waiting) => waiting.run())
      commit.run()
      return settle
    } catch (error) {
      undo(group, isDiskFull(error) ? new DiskFull(path, error) : asError(error))
      return null
    }
  }

  /** Where it is not known to be undone, nothing can be relied on any more. */
  function undo(group: readonly Waiting[], error: Error): void {
    try {
      // After some failures of the disk SQLite has rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK')
    } catch (failure) {
      fail(group, failure)
      return
    }
    options.onGroup?.('undone')
    for (const waiting of group) waiting.fail(error)
  }

  /** Between two groups: the next one waits until the file is synced too. */
  async function foldWal(): Promise<void> {
    try {
      if (wal.isFoldDue(FOLDED_FROM)) await wal.fold()
    } catch (error) {
      fail([], error)
    }
  }

  /**
   * After a failed sync the kernel may have dropped the pages and forgotten the error: another sync proves nothing, so
   * nothing is ever acknowledged again.
   */
  function fail(group: readonly Waiting[], cause: unknown): void {
    const error = new Error(`${path} could not be synced to disk; nothing more is written`, { cause })
    stopped = error
    failed = true
    for (const waiting of [...group, ...queue]) waiting.fail(error)
    queue = []
    options.onFailure?.(error)
  }

  /** The next group begins a turn of the event loop later: whoever waited reads before it. */
  async function settled(): Promise<void> {
    if (inFlight !== null) await inFlight
    if (stopped !== null) throw stopped
  }

  async function close(): Promise<void> {
    stopped ??= new Error(`${path} is closed`)
    while (running !== null) await running
    if (!db.isOpen) return
    // After a failure nothing may be folded into the file; the next start recovers what the WAL truly holds.
    if (failed) db.close()
    else closeExclusive(db)
    wal.close()
  }

  return { db, write, settled, close }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value))
}
