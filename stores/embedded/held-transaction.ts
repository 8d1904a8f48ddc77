// A transaction that is held open over many commits while thousands of documents come one part after another. The parts touch the
// same pages again and again; written to the WAL once for all of them, those cost a fraction. Whoever reads here sees all of it. A crash
// takes what was held, as a power cut takes the tail of any commits: it comes again from the log, by the checkpoints held with it.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** From so many writes on a commit is one part of many; from so many on it is whole by itself. */
const PART = 200
const WHOLE = 5_000
/** Characters of documents that are held: to write their pages, and those of their indexes, takes some hundredths of a second. */
const HELD_MOST = 4_194_304
/** Held no longer than this after the last part. */
const HELD_MS = 200

interface HeldTransaction {
  /** All of it or, where it throws, nothing. `writes`: how many it makes; it gives how many characters of documents they were. */
  run(work: () => number, writes: number): void
  /** While one is, the WAL cannot be folded. */
  isHeld(): boolean
  /** Commits what is held, if any is. Throws what `failed` was told. */
  settle(): void
}

/** `failed` is told where what was held is lost: whoever was told that it is written must not go on. */
export function holdTransactions(db: DatabaseSyncInstance, failed: (why: unknown) => void): HeldTransaction {
  // Else what each part could be undone by would go to a file.
  db.exec('PRAGMA temp_store=MEMORY')
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  const [save, release] = [db.prepare('SAVEPOINT part'), db.prepare('RELEASE part')]
  /** Characters that are held; null while nothing is. */
  let held: number | null = null
  let timer: NodeJS.Timeout | undefined

  function rollback(): void {
    if (db.isTransaction) db.exec('ROLLBACK')
  }

  function settle(): void {
    if (held === null) return
    held = null
    clearTimeout(timer)
    try {
      commit.run()
    } catch (why) {
      rollback()
      failed(why)
      throw why
    }
  }

  function runAlone(work: () => number, isPart: boolean): void {
    begin.run()
    try {
      const characters = work()
      if (isPart) hold(characters, isPart)
      else commit.run()
    } catch (why) {
      rollback()
      throw why
    }
  }

  function runBeside(work: () => number, isPart: boolean): void {
    save.run()
    try {
      const characters = work()
      release.run()
      hold(characters, isPart)
    } catch (why) {
      // SQLite itself undoes all where the disk fails it.
      if (db.isTransaction) db.exec('ROLLBACK TO part; RELEASE part')
      else {
        held = null
        failed(why)
      }
      throw why
    }
  }

  function hold(characters: number, isPart: boolean): void {
    held = (held ?? 0) + characters
    if (!isPart) return
    clearTimeout(timer)
    timer = setTimeout(settleLate, HELD_MS)
    timer.unref()
  }

  function settleLate(): void {
    try {
      settle()
    } catch {
      // Whoever writes next is told.
    }
  }

  return {
    run(work, writes) {
      if (writes >= WHOLE) settle()
      const isPart = writes >= PART && writes < WHOLE
      if (held === null) runAlone(work, isPart)
      else runBeside(work, isPart)
      if (held !== null && held >= HELD_MOST) settle()
    },
    isHeld: () => held !== null,
    settle,
  }
}
