// Durable writes that share an fsync without blocking the event loop: what is written while one sync runs goes into one
// transaction and waits for the next one. The log and the vault stand on it.

import { closeSync, fdatasync, openSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { closeExclusive, openExclusive } from './exclusive-database.ts'

/** Pages of WAL (4 KiB each) after which they are folded into the file: 8 MiB. */
const CHECKPOINT_PAGES = 2_048

/** What a write leaves behind: `keep` the WAL as it is, or `scrub` it, so that no older copy of a page stays in it. */
export type Residue = 'keep' | 'scrub'

export interface DurableDatabase {
  /** For reading, and for writing inside `write`. What a running write changed shows here before it is durable. */
  readonly db: DatabaseSyncInstance
  /**
   * Runs `work` in a transaction, alone or with others that came meanwhile, and answers when it is durable. `work` checks
   * first and throws only before it has changed anything, or else all of its transaction is undone and rejected with it.
   */
  write<T>(work: () => T, residue?: Residue): Promise<T>
  /** Resolves when nothing that shows in `db` can be lost any more. */
  settled(): Promise<void>
  /** Waits for running writes; later ones are rejected. */
  close(): Promise<void>
}

export interface DurableOptions {
  /** Called once when a sync failed. What was not answered is unknown from then on; the process should stop. */
  readonly onFailure?: (error: Error) => void
  /** Called after each transaction and before its writers are answered: it is durable, or was undone whole. */
  readonly onGroup?: (outcome: 'durable' | 'undone') => void
  /** Instead of fdatasync, for tests. */
  readonly sync?: (fd: number) => Promise<void>
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
  // SQLite must not checkpoint by itself: it would swallow the error of a failed fsync, and a later one would succeed
  // although the pages were never written.
  db.exec('PRAGMA wal_autocheckpoint=0')
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const pagesInWal = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  // One descriptor for as long as the database is open: the file is never replaced (SQLite rewinds its WAL in place), and
  // a descriptor opened before a write is certain to hear of that write's failure. SQLite's locks are on the other file,
  // so closing this one at the end drops none.
  const wal = openSync(`${path}-wal`, 'r')
  const sync = options.sync ?? syncData

  let queue: Waiting[] = []
  let running: Promise<void> | null = null
  let stopped: Error | null = null
  let failed = false

  // A process that was killed leaves commits that were never synced; from here on all that can be read is durable.
  checkpoint(db, 'TRUNCATE')

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
      await writeGroup(group)
    }
    running = null
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    const settle = runTogether(group)
    if (settle === null) return
    try {
      // A checkpoint in NORMAL mode syncs the WAL, copies its pages and syncs the file before it truncates the WAL.
      if (group.some(({ residue }) => residue === 'scrub')) checkpoint(db, 'TRUNCATE')
      await sync(wal)
    } catch (error) {
      fail(group, error)
      return
    }
    options.onGroup?.('durable')
    for (const answer of settle) answer()
    foldWal()
  }

  /** One transaction for all; null where it was undone, and all of them rejected. */
  function runTogether(group: readonly Waiting[]): (() => void)[] | null {
    try {
      begin.run()
      const settle = group.map((waiting) => waiting.run())
      commit.run()
      return settle
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      options.onGroup?.('undone')
      for (const waiting of group) waiting.fail(asError(error))
      return null
    }
  }

  /** Only between two groups: it blocks for some milliseconds, and nobody waits for it then. */
  function foldWal(): void {
    const { log } = pagesInWal.get() as { log: number }
    if (log < CHECKPOINT_PAGES) return
    try {
      checkpoint(db, 'PASSIVE')
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

  async function settled(): Promise<void> {
    while (running !== null) await running
    if (stopped !== null) throw stopped
  }

  async function close(): Promise<void> {
    stopped ??= new Error(`${path} is closed`)
    while (running !== null) await running
    if (!db.isOpen) return
    // After a failure nothing may be folded into the file; the next start recovers what the WAL truly holds.
    if (failed) db.close()
    else closeExclusive(db)
    closeSync(wal)
  }

  return { db, write, settled, close }
}

/** PASSIVE folds the WAL into the file, which lets SQLite rewind it; TRUNCATE empties it as well. Blocks. */
function checkpoint(db: DatabaseSyncInstance, mode: 'PASSIVE' | 'TRUNCATE'): void {
  const { busy } = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as { busy: number }
  if (busy !== 0) throw new Error('The checkpoint was blocked although nobody else can have the file open')
}

function syncData(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value))
}
