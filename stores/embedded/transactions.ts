// Transactions of one connection: of one piece of work, or of steps between which other work runs.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

export interface Transactions {
  /** Runs `work` in a transaction; rolls back if it throws. */
  run(work: () => void): void
  /**
   * Runs the steps one after the other, each before the next one is made, `perTransaction` of them in one transaction,
   * and yields after each. Rolls back what is not committed if a step throws, or the caller stops.
   */
  steps(steps: Iterable<() => void>, perTransaction: number): Generator<void>
}

export function openTransactions(db: DatabaseSyncInstance): Transactions {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  // After some disk errors SQLite has already rolled back.
  const rollBack = () => {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
  return {
    run(work) {
      begin.run()
      try {
        work()
        commit.run()
      } finally {
        rollBack()
      }
    },
    *steps(steps, perTransaction) {
      let left = 0
      try {
        for (const step of steps) {
          if (left === 0) {
            begin.run()
            left = perTransaction
          }
          step()
          left--
          if (left === 0) commit.run()
          yield
        }
        if (left > 0) commit.run()
      } finally {
        rollBack()
      }
    },
  }
}
