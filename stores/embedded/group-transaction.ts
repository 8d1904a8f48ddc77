// One SQLite transaction for the writes of several callers.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { DiskFull, isDiskFull } from './disk-full.ts'

export interface QueuedWrite {
  /** Does the work inside the transaction. Returns a function that resolves the caller's promise once it is durable. */
  run(): () => void
  fail(error: Error): void
}

/**
 * Runs the group's work in one transaction. Returns the functions that resolve the callers, or the error of a rollback.
 * Throws if the rollback may have failed: the database must no longer be used.
 */
export type GroupTransaction = (
  group: readonly QueuedWrite[],
) => { readonly settle: readonly (() => void)[] } | { readonly undone: Error }

/** `path` is for error texts. */
export function createGroupTransaction(db: DatabaseSyncInstance, path: string): GroupTransaction {
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
