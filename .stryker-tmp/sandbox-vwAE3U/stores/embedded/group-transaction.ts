// One SQLite transaction for the writes of several callers.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { DiskFull, isDiskFull } from './disk-full.ts'

export interface QueuedWrite {
  /** Does the work inside the transaction. Answers what resolves its caller's promise, to be called once it is durable. */
  run(): () => void
  fail(error: Error): void
}

/**
 * Runs all of the group's work in one transaction. Answers what resolves each caller, or why all of it was undone. Throws where
 * it may not be undone: nothing can be relied on any more.
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
      // After some failures of the disk SQLite has rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK')
      return { undone: isDiskFull(error) ? new DiskFull(path, error) : asError(error) }
    }
  }
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value))
}
