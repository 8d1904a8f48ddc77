// Keeps one transaction open over many commits. They touch the same pages repeatedly, and writing those to the WAL once
// costs a fraction. Nothing reaches the disk before the COMMIT. Readers in this process see all commits. A crash loses
// the open transaction, as a power cut loses the last commits: the log replays it from the checkpoints that were in the
// same transaction.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { isDiskFull } from './sqlite-error.ts'

/** Milliseconds that the transaction stays open after the first commit; as many again if it may not commit then. */
const HELD_MS = 1_000
/** Milliseconds that a COMMIT may block. */
const COMMIT_MS = 5
/**
 * Bounds of the limit of characters of documents in one transaction; the limit follows the time that a COMMIT takes.
 */
const MIN_CHARACTERS = 16_384
export const MAX_CHARACTERS = 524_288

/**
 * A held transaction writes no changed page before its COMMIT, so it may grow during a checkpoint. Other transactions,
 * such as those that create an index, may be larger than the cache.
 */
const NO_SPILL = 'PRAGMA cache_spill=OFF'
const SPILL = 'PRAGMA cache_spill=ON'

interface HeldOptions {
  /**
   * While it returns false, the timer and a `run` that fills the transaction do not commit. A `run` on a full
   * transaction still commits first, so callers must not call it then.
   */
  readonly mayCommit: () => boolean
  readonly onBegun?: () => void
  /** Called if the open transaction is lost; a caller that relied on it must stop. */
  readonly lost: (error: unknown) => void
  /** Called after a transaction that timed out was committed. */
  readonly onTimedCommit: () => void
}

interface Open {
  characters: number
  /** What to run again after a rollback. */
  readonly works: (() => number)[]
}

export class HeldTransaction {
  readonly #db: DatabaseSyncInstance
  readonly #options: HeldOptions
  readonly #commit: StatementSyncInstance
  #open: Open | null = null
  #timer: NodeJS.Timeout | undefined
  #maxCharacters = MAX_CHARACTERS
  /** The last COMMIT that failed, if none succeeded since. */
  #refused: { readonly error: unknown; readonly atMs: number } | null = null

  constructor(db: DatabaseSyncInstance, options: HeldOptions) {
    this.#db = db
    this.#options = options
    this.#commit = db.prepare('COMMIT')
  }

  /** While a transaction is open, the WAL cannot be checkpointed. */
  isHeld(): boolean {
    return this.#open !== null
  }

  /** Whether the transaction has reached its limit: the next `run` commits it first, or throws. */
  isFull(): boolean {
    return this.#open !== null && this.#open.characters >= this.#maxCharacters
  }

  /**
   * Runs `work` atomically. `work` returns the number of characters of documents that it wrote; it may run again, and
   * must then do the same. Throws its error, or that of a full disk: `work` is undone then, and earlier commits are
   * kept.
   */
  run(work: () => number): void {
    this.#makeRoom()
    const before = this.#open
    let characters = 0
    try {
      if (before === null) this.#begin()
      characters = work()
    } catch (error) {
      this.#restore(before, true, error)
      throw error
    }
    const open = before ?? { characters: 0, works: [] }
    open.characters += characters
    open.works.push(work)
    this.#open = open
    if (this.#timer === undefined) this.#settleLater()
    if (!this.isFull() || !this.#options.mayCommit()) return
    try {
      this.settle()
    } catch (error) {
      // The work is kept for as long as the transaction is.
      if (!this.isHeld()) throw error
    }
  }

  /**
   * Commits the open transaction, if any. If that fails, the transaction stays open, or `lost` was called. Throws the
   * error.
   */
  settle(): void {
    if (this.#open === null) return
    const { characters } = this.#open
    const startMs = performance.now()
    try {
      this.#commit.run()
    } catch (error) {
      this.#refused = { error, atMs: performance.now() }
      this.#restore(this.#open, isDiskFull(error), error)
      throw error
    }
    this.#open = null
    this.#refused = null
    this.#stopTimer()
    this.#db.exec(SPILL)
    this.#adapt(characters, performance.now() - startMs)
  }

  /** Stops the timer. Call it before the database is closed: a full disk may have kept the transaction open. */
  end(): void {
    this.#stopTimer()
  }

  /**
   * Halves the limit at most, so that one slow COMMIT does not change it much, and doubles it only after a large one.
   */
  #adapt(characters: number, tookMs: number): void {
    const factor = Math.max(0.5, Math.min(2, COMMIT_MS / tookMs))
    if (factor > 1 && characters < this.#maxCharacters / 2) return
    this.#maxCharacters = Math.max(MIN_CHARACTERS, Math.min(MAX_CHARACTERS, this.#maxCharacters * factor))
  }

  /** Before the next work. Throws if the open transaction is full and cannot be committed. */
  #makeRoom(): void {
    if (!this.isFull()) return
    // Running everything again after each failure is not cheap.
    if (this.#refused !== null && performance.now() - this.#refused.atMs < HELD_MS) throw this.#refused.error
    this.settle()
  }

  #begin(): void {
    this.#db.exec(`${NO_SPILL}; BEGIN IMMEDIATE`)
    this.#options.onBegun?.()
  }

  #rollBack(): void {
    // After some disk errors SQLite has already rolled back.
    this.#db.exec(this.#db.isTransaction ? `ROLLBACK; ${SPILL}` : SPILL)
  }

  /** Rolls back and, if `isKept`, runs again what was acknowledged. */
  #restore(was: Open | null, isKept: boolean, cause: unknown): void {
    this.#open = null
    this.#rollBack()
    if (was === null) return
    try {
      if (!isKept) throw cause
      this.#begin()
      for (const work of was.works) work()
      this.#open = was
    } catch {
      this.#rollBack()
      this.#stopTimer()
      this.#options.lost(cause)
    }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #settleLater(): void {
    this.#stopTimer()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (!this.#options.mayCommit()) {
        this.#settleLater()
        return
      }
      try {
        this.settle()
      } catch {
        // The disk is full, or `lost` was called.
        if (this.isHeld()) this.#settleLater()
        return
      }
      this.#options.onTimedCommit()
    }, HELD_MS)
    this.#timer.unref()
  }
}
