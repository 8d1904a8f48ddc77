// Keeps one transaction open over many commits during bulk work. The batches touch the same pages repeatedly, and
// writing those to the WAL once costs a fraction. Readers in this process see all commits. A crash loses the open
// transaction, as a power cut loses the last commits: the log replays it from the checkpoints that were in the same
// transaction.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** Maximum milliseconds that the transaction stays open after the last batch. Between batches the log is written, which can be slow. */
const HELD_MS = 1_000

export interface HeldTransaction {
  /**
   * Runs `work` atomically. If it throws, the batches in the open transaction are lost, too. `work` returns the number of
   * characters of documents that it wrote. `isPart`: more batches follow at once.
   */
  run(work: () => number, moreFollow: boolean): void
  /** While a transaction is open, the WAL cannot be checkpointed. */
  isHeld(): boolean
  /** Commits the open transaction, if any. Throws the error that was passed to `failed`. */
  settle(): void
}

/**
 * `maxCharacters`: limit of document characters in the open transaction. `failed` is called if the open transaction is lost;
 * a caller that relied on it must stop.
 */
export function holdTransactions(
  db: DatabaseSyncInstance,
  maxCharacters: number,
  failed: (error: unknown) => void,
): HeldTransaction {
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  /** Characters in the open transaction; null if none is open. */
  let openCharacters: number | null = null
  let timer: NodeJS.Timeout | undefined

  /** Throws the error of `work` after rolling back everything in the transaction. */
  function orRollBack(work: () => void): void {
    const wasOpen = openCharacters !== null
    try {
      work()
    } catch (error) {
      openCharacters = null
      clearTimeout(timer)
      // After some disk errors SQLite has already rolled back.
      if (db.isTransaction) db.exec('ROLLBACK')
      if (wasOpen) failed(error)
      throw error
    }
  }

  function settle(): void {
    if (openCharacters === null) return
    orRollBack(() => commit.run())
    openCharacters = null
    clearTimeout(timer)
  }

  function settleLater(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      try {
        settle()
      } catch {
        // `failed` was called, so the next writer is rejected.
      }
    }, HELD_MS)
    timer.unref()
  }

  function run(work: () => number, moreFollow: boolean): void {
    const isByItself = openCharacters === null && !moreFollow
    if (openCharacters === null) begin.run()
    let characters = 0
    orRollBack(() => {
      characters = work()
      if (isByItself) commit.run()
    })
    if (isByItself) return
    if (moreFollow) settleLater()
    openCharacters = (openCharacters ?? 0) + characters
    if (openCharacters >= maxCharacters) settle()
  }

  return { run, isHeld: () => openCharacters !== null, settle }
}
