// Keeps one transaction open over many commits during bulk work. The batches touch the same pages repeatedly, and
// writing those to the WAL once costs a fraction. Readers in this process see all commits. A crash loses the open
// transaction, as a power cut loses the last commits: the log replays it from the checkpoints that were in the same
// transaction.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** Held no longer than this after the last part: between two there is a write of the log, which takes its time on a slow disk. */
const HELD_MS = 1_000

export interface HeldTransaction {
  /**
   * All of it or, where it throws, nothing; then what was held with it is lost too. `work` gives how many characters of
   * documents it wrote. `isPart`: one of many that follow each other.
   */
  run(work: () => number, isPart: boolean): void
  /** While one is, the WAL cannot be folded. */
  isHeld(): boolean
  /** Commits the open transaction, if any. Throws the error that was passed to `failed`. */
  settle(): void
}

/**
 * `maxCharacters`: of documents that are held. `failed` is called where what was held is lost: a caller that relied on it must
 * not go on.
 */
export function holdTransactions(
  db: DatabaseSyncInstance,
  maxCharacters: number,
  failed: (error: unknown) => void,
): HeldTransaction {
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  /** Characters that are held; null while nothing is. */
  let held: number | null = null
  let timer: NodeJS.Timeout | undefined

  /** Throws what `work` does, with nothing of it and of what was held left. */
  function orRollBack(work: () => void): void {
    const wasHeld = held !== null
    try {
      work()
    } catch (error) {
      held = null
      clearTimeout(timer)
      // After some failures of the disk SQLite has rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK')
      if (wasHeld) failed(error)
      throw error
    }
  }

  function settle(): void {
    if (held === null) return
    orRollBack(() => commit.run())
    held = null
    clearTimeout(timer)
  }

  function settleLater(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      try {
        settle()
      } catch {
        // `failed` was called: the next writer is refused there.
      }
    }, HELD_MS)
    timer.unref()
  }

  function run(work: () => number, isPart: boolean): void {
    const isByItself = held === null && !isPart
    if (held === null) begin.run()
    let characters = 0
    orRollBack(() => {
      characters = work()
      if (isByItself) commit.run()
    })
    if (isByItself) return
    if (isPart) settleLater()
    held = (held ?? 0) + characters
    if (held >= maxCharacters) settle()
  }

  return { run, isHeld: () => held !== null, settle }
}
