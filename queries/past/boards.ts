// Boards of instants, kept in memory: those asked for last, up to a number of bytes. Who asks for one that is being
// folded waits for it with the others; it is given up once nobody waits any more.

import { LRUCache } from 'lru-cache'
import { Refusal } from '../../domain/decider.ts'
import type { Position } from '../../domain/event.ts'
import { TimeSlices } from '../../scheduling/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import type { Board } from '../leaderboard.ts'
import { PASTS_AT_ONCE, type ReadCaller, ReadQueue } from '../work-queue.ts'
import { boardAsOf, foldBoard, Outdated, type PastBoard } from './board.ts'
import type { FoldingDeps, Instant, PastDeps } from './deps.ts'
import { Submissions } from './submissions.ts'

export interface PastLimits {
  /** Of all boards kept. A board that takes more by itself is folded for each answer. */
  readonly bytes: number
  /** Of those of one game, so that it does not drive all others out: those asked for longest ago go first. */
  readonly bytesOfGame: number
  /** Of what tells where submissions lie, of boards whose rules have changed. */
  readonly bytesOfSubmissions: number
  /** Of one that is being folded, which comes on top: 120 bytes an entry. A board that takes more is refused. */
  readonly bytesOfFold: number
}

/** Of what a fold takes, the rest is for putting its entries in order. */
const FOLDED_PART = 0.8

/** Of bytes for what is kept, and for what is being folded. */
export const pastLimits = (kept: number, folds: number): PastLimits => ({
  bytes: Math.floor((kept * 8) / 9),
  bytesOfGame: Math.floor((kept * 6) / 9),
  bytesOfSubmissions: Math.floor(kept / 9),
  bytesOfFold: Math.floor((folds * FOLDED_PART) / PASTS_AT_ONCE),
})

/** Of tests and benches: a node shares its memory out and names the bytes. */
export const PAST_LIMITS = pastLimits(288 * 2 ** 20, 512 * 2 ** 20)

/** A fold under way, and how many wait for it. */
interface Running {
  readonly done: Promise<PastBoard>
  readonly giveUp: AbortController
  waiting: number
}

export class PastBoards {
  readonly deps: FoldingDeps
  readonly queue: ReadQueue
  readonly #limits: PastLimits
  readonly #kept: LRUCache<string, PastBoard>
  readonly #submissions: LRUCache<string, Submissions>
  readonly #running = new Map<string, Running>()
  /** Of boards that may still change: the last one who reads on. */
  readonly #readers = new WeakMap<PastBoard, Promise<unknown>>()
  /** How many were folded, for tests and measurements. */
  folds = 0

  constructor(deps: PastDeps, limits: PastLimits = PAST_LIMITS, queue = new ReadQueue()) {
    this.deps = { ...deps, bytesOfFold: limits.bytesOfFold }
    this.#limits = limits
    this.queue = queue
    this.#kept = new LRUCache({ maxSize: limits.bytes, sizeCalculation: ({ bytes }) => bytes })
    this.#submissions = new LRUCache({ maxSize: limits.bytesOfSubmissions, sizeCalculation: ({ bytes }) => bytes })
  }

  get bytesKept(): number {
    return this.#kept.calculatedSize
  }

  /**
   * The board as it stood at an instant; null where it was not made yet, or was archived. The first time O(history);
   * then, once the instant is some minutes old, O(1) beside what is read of it.
   */
  async at(board: Board, instant: Instant): Promise<PastBoard | null> {
    const { asOf, nowMs } = instant
    const key = this.#keyOf(board, asOf)
    for (;;) {
      const ready = await this.#ready(key, nowMs)
      if (ready !== null) return ready
      const kept = this.#kept.get(key)
      const state = await boardAsOf(this.deps, board, asOf)
      if (state === null || state.state.archived) return null
      if (kept !== undefined && kept.board.generation === state.generation) {
        kept.board = state
        const isRead = await this.#readOn(kept, nowMs, instant).catch((why: unknown) => {
          if (why instanceof Refusal) this.#drop(key, kept)
          throw why
        })
        if (isRead) return kept
        this.#drop(key, kept)
        continue
      }
      const folded = await this.#folded(key, state, instant)
      if (folded.board.generation === state.generation && (await this.#refreshed(folded))) return folded
      this.#drop(key, folded)
    }
  }

  /**
   * The same, where it is kept and nothing has to be read for it; null elsewhere, also of a
   * board that did not stand then.
   */
  kept(board: Board, { asOf, nowMs }: Instant): Promise<PastBoard | null> {
    return this.#ready(this.#keyOf(board, asOf), nowMs)
  }

  /**
   * Where the submissions to a board lie, up to where its history is whole. The first time
   * O(history), then O(what is new).
   */
  async submissionsTo(board: Board, upTo: Position, slices: TimeSlices): Promise<Submissions> {
    const key = `${board.id}@${this.deps.shown()}`
    const found = this.#submissions.get(key) ?? new Submissions(board.id)
    await found.readOn(unopened(this.deps.queries.history), upTo, slices)
    this.#submissions.set(key, found)
    return found
  }

  #keyOf(board: Board, asOf: string): string {
    return `${board.id}@${asOf}@${this.deps.shown()}`
  }

  /** What is kept, where nothing came to it since but deletions of players. */
  async #ready(key: string, nowMs: number): Promise<PastBoard | null> {
    const kept = this.#kept.get(key)
    if (kept === undefined || !(kept.isSettled || (await this.#isUpToDate(kept, nowMs)))) return null
    if (await this.#refreshed(kept)) return kept
    this.#drop(key, kept)
    return null
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

  /** Nothing was recorded since it was read on. */
  async #isUpToDate(kept: PastBoard, nowMs: number): Promise<boolean> {
    if (kept.isOver(nowMs)) return false
    return (await this.deps.reached(kept.board.game)) === kept.upTo
  }

  #drop(key: string, board: PastBoard): void {
    if (this.#kept.peek(key) === board) this.#kept.delete(key)
  }

  async #refreshed(board: PastBoard): Promise<boolean> {
    try {
      await board.refresh()
      return true
    } catch (why) {
      if (why instanceof Outdated) return false
      throw why
    }
  }

  /** One after another: each reads on from where the one before came. */
  async #readOn(board: PastBoard, nowMs: number, { signal, path }: ReadCaller): Promise<boolean> {
    const before = this.#readers.get(board) ?? Promise.resolve()
    const own = before.then(async () => {
      await board.readOn(nowMs, new TimeSlices(signal, path))
      return this.#refreshed(board)
    })
    this.#readers.set(
      board,
      own.catch(() => {}),
    )
    return own
  }

  #folded(key: string, board: Board, instant: Instant): Promise<PastBoard> {
    const { signal } = instant
    const running = this.#running.get(key) ?? this.#begun(key, board, instant)
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

  #begun(key: string, board: Board, instant: Instant): Running {
    const giveUp = new AbortController()
    const { signal } = giveUp
    const work = (slices: TimeSlices) => {
      this.folds++
      return foldBoard(this.deps, board, instant, slices)
    }
    const done = this.queue.run({ path: instant.path, signal }, 'past', work)
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
