// A cache of boards as of instants: the most recently used ones, within a number of bytes, until they are not read for
// a minute. Callers that ask for a board that is being folded share the fold; it is aborted when none of them waits.

import type { Position } from '../../domain/event.ts'
import { type LRUCache, lruOfSize } from '../../runtime/lru.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import type { Board } from '../leaderboard.ts'
import { PASTS_AT_ONCE, type ReadCaller, ReadQueue } from '../work-queue.ts'
import { boardAt, foldBoard, Outdated, type PastBoard } from './board.ts'
import { Cuts } from './cuts.ts'
import type { FoldingDeps, Instant, PastDeps } from './deps.ts'
import { Submissions } from './submissions.ts'

export interface PastLimits {
  /** Limit for all cached boards. A board that needs more is folded for each answer. */
  readonly bytes: number
  /**
   * Limit for the boards of one game, so that it does not evict all others: its least recently used ones are evicted
   * first.
   */
  readonly bytesOfGame: number
  /** Limit for the indexes of submissions, of boards whose rules have changed. */
  readonly bytesOfSubmissions: number
  /** Limit for each board being folded, in addition: 120 bytes an entry. A larger board is refused. */
  readonly bytesOfFold: number
}

/** Share of a fold's memory for its entries; the rest is for sorting them. */
const FOLDED_PART = 0.8

/** Limits from the bytes for cached boards and for boards being folded. */
export const pastLimits = (kept: number, folds: number): PastLimits => ({
  bytes: Math.floor((kept * 8) / 9),
  bytesOfGame: Math.floor((kept * 6) / 9),
  bytesOfSubmissions: Math.floor(kept / 9),
  bytesOfFold: Math.floor((folds * FOLDED_PART) / PASTS_AT_ONCE),
})

/** For tests and benchmarks only: a node divides its memory and passes the bytes. */
export const PAST_LIMITS = pastLimits(288 * 2 ** 20, 512 * 2 ** 20)

/** Boards and indexes that nobody reads for this long are dropped. */
export const IDLE_MS = 60_000

/** A running fold and the number of its waiters. */
interface Running {
  readonly done: Promise<PastBoard>
  readonly giveUp: AbortController
  waiting: number
}

export class PastBoards {
  readonly deps: FoldingDeps
  readonly cuts: Cuts
  readonly queue: ReadQueue
  readonly #limits: PastLimits
  readonly #kept: LRUCache<string, PastBoard>
  readonly #submissions: LRUCache<string, Submissions>
  readonly #running = new Map<string, Running>()
  /** Number of folds, for tests and measurements. */
  folds = 0

  constructor(deps: PastDeps, limits: PastLimits = PAST_LIMITS, queue = new ReadQueue()) {
    this.deps = { ...deps, bytesOfFold: limits.bytesOfFold }
    this.cuts = new Cuts(this.deps)
    this.#limits = limits
    this.queue = queue
    this.#kept = lruOfSize(limits.bytes, ({ bytes }) => bytes, IDLE_MS)
    this.#submissions = lruOfSize(limits.bytesOfSubmissions, ({ bytes }) => bytes, IDLE_MS)
  }

  get bytesKept(): number {
    return this.#kept.calculatedSize
  }

  /**
   * The board as of an instant; null if it did not exist yet or was archived. O(history) the first time, then O(1)
   * besides what is read of it and of newer events.
   */
  async at(board: Board, instant: Instant): Promise<PastBoard | null> {
    const cut = await this.cuts.of(board.game, instant.asOf)
    if (cut === null) return null
    for (;;) {
      const kept = await this.kept(board, cut)
      if (kept !== null) return kept
      const state = await boardAt(this.deps, board, cut)
      if (state === null || state.state.archived) return null
      const folded = await this.#folded(state, cut, instant)
      if (await this.#refreshed(folded)) return folded
      this.#drop(folded)
    }
  }

  /** The board up to a position, if it is cached; else null, also for a board that did not exist then. */
  async kept(board: Board, cut: Position): Promise<PastBoard | null> {
    const kept = this.#kept.get(this.#keyOf(board.id, cut))
    if (kept === undefined) return null
    if (await this.#refreshed(kept)) return kept
    this.#drop(kept)
    return null
  }

  /**
   * The index of a board's submissions, up to where its history is complete. O(history) the first time, then O(new
   * events).
   */
  async submissionsTo(board: Board, upTo: Position, slices: TimeSlices): Promise<Submissions> {
    const key = `${board.id}@${this.deps.activeBuilds()}`
    const found = this.#submissions.get(key) ?? new Submissions(board.id)
    await found.readOn(unopened(this.deps.queries.history), upTo, slices)
    this.#submissions.set(key, found)
    return found
  }

  #keyOf(board: string, cut: Position): string {
    return `${board}@${cut}@${this.deps.activeBuilds()}`
  }

  #keep(key: string, board: PastBoard): void {
    this.#kept.set(key, board)
    const { bytesOfGame } = this.#limits
    if (this.#kept.calculatedSize <= bytesOfGame) return
    let ofGame = 0
    for (const [other, { board: of, bytes: its }] of [...this.#kept.entries()]) {
      if (of.game !== board.board.game) continue
      ofGame += its
      if (ofGame > bytesOfGame && other !== key) this.#kept.delete(other)
    }
  }

  #drop(board: PastBoard): void {
    const key = this.#keyOf(board.board.id, board.cut)
    if (this.#kept.peek(key) === board) this.#kept.delete(key)
  }

  async #refreshed(board: PastBoard): Promise<boolean> {
    try {
      await board.refresh()
      return true
    } catch (error) {
      if (error instanceof Outdated) return false
      throw error
    }
  }

  #folded(board: Board, cut: Position, caller: ReadCaller): Promise<PastBoard> {
    const { signal } = caller
    const key = this.#keyOf(board.id, cut)
    const running = this.#running.get(key) ?? this.#startFold(key, board, cut, caller)
    running.waiting++
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason)
        if (--running.waiting > 0) return
        running.giveUp.abort(signal.reason)
        if (this.#running.get(key) === running) this.#running.delete(key)
      }
      if (signal.aborted) {
        leave()
        return
      }
      signal.addEventListener('abort', leave, { once: true })
      running.done.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  #startFold(key: string, board: Board, cut: Position, { path }: ReadCaller): Running {
    const giveUp = new AbortController()
    const { signal } = giveUp
    const work = (slices: TimeSlices) => {
      this.folds++
      return foldBoard(this.deps, board, cut, slices)
    }
    const done = this.queue.run({ path, signal }, 'past', work)
    const running = { done, giveUp, waiting: 0 }
    this.#running.set(key, running)
    const over = () => {
      if (this.#running.get(key) === running) this.#running.delete(key)
    }
    done
      .then((folded) => {
        this.#keep(key, folded)
        folded.onGrowth = () => {
          if (this.#kept.peek(key) !== folded) return
          this.#kept.delete(key)
          this.#keep(key, folded)
        }
      })
      .catch(() => {})
      .finally(over)
    return running
  }
}
