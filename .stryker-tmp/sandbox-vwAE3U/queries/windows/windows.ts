// The window indexes of this node: for boards above a size, built in the background when first requested, within a
// memory limit. While a board has none, or its index cannot catch up with the documents, windows are counted entry by
// entry.

import type { StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { WindowIndex } from '../../ranking/window-index.ts'
import { TimeSlices } from '../../scheduling/time-slices.ts'
import { viewReached } from '../reached.ts'
import { bestInside, frozenBest, streamOf } from './best.ts'
import { frozenRanking } from './build.ts'
import { type FollowDeps, Follower } from './follower.ts'
import type { BestInside, Counted, IndexedBoard, IndexedWindows } from './indexed.ts'

/** Smaller boards are counted: a read of their entries is short. */
const INDEXED_FROM = 5_000
/** Estimated bytes per entry of an index, to decide beforehand whether there is room. */
const ENTRY_BYTES = 128
/** Pause before the next build after one failed. */
const AGAIN_AFTER_MS = 1_000
/** How long a request waits for an index that is being built or updated before it counts. */
const PATIENCE_MS = 1_000
/**
 * Remembered windows of best submissions that were requested once. A window that moves with the clock is never
 * requested again.
 */
const ONCE_MAX = 1_024

export type WindowIndexEvent = 'made' | 'evicted' | 'failed'

export interface WindowsOptions {
  /** Boards with more entries than this are indexed. */
  readonly from?: number
  /** Limit for all indexes together, including one being built or rebuilt. */
  readonly bytesMax: number
  /** Called when an index was built or rebuilt ('made'), evicted for room, or failed to build or update. */
  readonly onEvent?: (what: WindowIndexEvent, key: string, error?: unknown) => void
  /** Called for each window of a large board that was counted. */
  readonly counted?: (error: Counted) => void
  /** Whether a window of best submissions is indexed on its first request; by default on the second. */
  readonly atOnce?: boolean
}

interface Held {
  readonly index: WindowIndex
  readonly follower: Follower
  /** The running update, and the next one for those who ask meanwhile. */
  running: Promise<boolean> | null
  next: Promise<boolean> | null
  refreezing: Promise<void> | null
}

export class Windows implements IndexedWindows {
  readonly #deps: FollowDeps
  readonly #options: Required<WindowsOptions>
  readonly #requestedOnce = new Set<string>()
  /** By the key of the ranking, with the bounds for a window of best submissions; least recently used first. */
  readonly #held = new Map<string, Held>()
  readonly #stopping = new AbortController()
  #building: { readonly key: string; readonly done: Promise<void> } | null = null
  #notBeforeMs = 0

  constructor(deps: FollowDeps, options: WindowsOptions) {
    this.#deps = deps
    this.#options = { from: INDEXED_FROM, onEvent() {}, counted() {}, atOnce: false, ...options }
  }

  counted(error: Counted): void {
    this.#options.counted(error)
  }

  get bytes(): number {
    return [...this.#held.values()].reduce((sum, { index }) => sum + index.bytes, 0)
  }

  async of(board: IndexedBoard): Promise<WindowIndex | null> {
    const key = keyOf(board)
    const begun = this.#held.has(key) ? null : await this.#begin(board, key).catch((error) => this.#failed(key, error))
    if (this.#building?.key === key) await withinPatience(this.#building.done)
    const held = this.#held.get(key)
    if (held === undefined) {
      if (begun !== null) this.counted(begun)
      return null
    }
    this.#held.delete(key)
    this.#held.set(key, held)
    const isThere = await withinPatience(this.#caughtUp(held)).catch((error: unknown) => this.#failed(key, error))
    if (held.follower.isInvalid && this.#held.get(key) === held) this.#held.delete(key)
    if (isThere !== true || held.follower.isInvalid) {
      this.counted(isThere === 'failed' ? 'failed' : held.follower.isInvalid ? 'building' : 'behind')
      return null
    }
    this.#refreezeWhereDue(key, held)
    return held.index
  }

  async bestOf(
    { board, best }: IndexedBoard & { readonly best: BestInside },
    player: string,
  ): Promise<StoredEvent | null> {
    return bestInside(await streamOf(this.#deps.log, board, player), best)
  }

  /** Aborts running work and releases all indexes. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the node is stopping'))
    const all = [...this.#held.values()]
    this.#held.clear()
    await Promise.all([this.#building?.done, ...all.map(({ refreezing }) => refreezing)])
  }

  /** Starts a new update unless one can be shared: an update that already runs may have read before this call. */
  #caughtUp(held: Held): Promise<boolean> {
    const run = () =>
      held.follower.catchUp(held.index).finally(() => {
        held.running = held.next
        held.next = null
      })
    if (held.running === null) {
      held.running = run()
      return held.running
    }
    held.next ??= held.running.then(run, run)
    return held.next
  }

  /** Starts a build if possible. Returns why there is no index now; null if the board is small. */
  async #begin(board: IndexedBoard, key: string): Promise<Counted | null> {
    const rankings = this.#deps.rankings.of(this.#deps.viewKey('entries'), partitionOf(board.game))
    const size = await rankings.size(board.key)
    if (size <= this.#options.from) return null
    if (size * ENTRY_BYTES > this.#options.bytesMax) return 'room'
    if (board.best && !this.#isRequestedAgain(key)) return 'once'
    if (performance.now() < this.#notBeforeMs) return 'failed'
    const isIdle = this.#building === null && !this.#stopping.signal.aborted
    if (isIdle && !this.#held.has(key)) {
      this.#evictFor(size * ENTRY_BYTES, key)
      this.#building = { key, done: this.#build(board, key) }
    }
    return 'building'
  }

  #isRequestedAgain(key: string): boolean {
    if (this.#options.atOnce || this.#requestedOnce.has(key)) return true
    this.#requestedOnce.add(key)
    const [first = ''] = this.#requestedOnce
    if (this.#requestedOnce.size > ONCE_MAX) this.#requestedOnce.delete(first)
    return false
  }

  async #build(board: IndexedBoard, key: string): Promise<void> {
    const rankings = this.#deps.rankings.of(this.#deps.viewKey('entries'), partitionOf(board.game))
    const { signal } = this.#stopping
    try {
      const { views, viewKey } = this.#deps
      const applied = await viewReached(views, viewKey('entries'), board.game)
      const reached = await this.#deps.reached(board.game)
      // Best submissions are also read from the history, which may be behind the documents.
      const at = board.best && (reached === null || (applied !== null && reached < applied)) ? reached : applied
      const frozen = board.best
        ? await frozenBest(this.#deps, board, board.best, signal)
        : await frozenRanking(rankings, board.key, signal)
      const follower = new Follower(this.#deps, board, at)
      this.#held.set(key, { index: new WindowIndex(frozen), follower, running: null, next: null, refreezing: null })
      this.#made(key)
    } catch (error) {
      this.#failed(key, error)
    } finally {
      this.#building = null
    }
  }

  #refreezeWhereDue(key: string, held: Held): void {
    if (held.refreezing !== null || !held.index.isDue) return
    this.#evictFor(held.index.bytes, key)
    held.refreezing = new TimeSlices(this.#stopping.signal)
      .result(held.index.refreeze())
      .then(() => this.#made(key))
      .catch((error: unknown) => {
        this.#held.delete(key)
        this.#failed(key, error)
      })
      .finally(() => {
        held.refreezing = null
      })
  }

  #made(key: string): void {
    this.#options.onEvent('made', key)
    this.#evictFor(0, null)
  }

  /** Evicts the least recently used indexes until there is room for this many more bytes. */
  #evictFor(bytes: number, except: string | null): void {
    for (const other of this.#held.keys()) {
      if (this.bytes + bytes <= this.#options.bytesMax) return
      if (other === except) continue
      this.#held.delete(other)
      this.#options.onEvent('evicted', other)
    }
  }

  #failed(key: string, error: unknown): 'failed' {
    this.#notBeforeMs = performance.now() + AGAIN_AFTER_MS
    if (!this.#stopping.signal.aborted) this.#options.onEvent('failed', key, error)
    return 'failed'
  }
}

const keyOf = ({ key, best }: IndexedBoard): string => (best ? `${key} ${best.since ?? ''}/${best.until ?? ''}` : key)

/** The result, or null if it takes too long. */
async function withinPatience<Result>(work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
