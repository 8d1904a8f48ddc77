// Caches the window indexes of this node, within a memory limit. The index of a large board is built in the background
// when a window of the board is first requested. While the index is missing or behind the documents, queries count the
// entries of the window one by one.

import type { Shown } from '../../domain/entry.ts'
import { partitionOf } from '../../domain/partition.ts'
import { SortKeyPacker } from '../../ranking/packed-sort-keys.ts'
import { WindowIndex } from '../../ranking/window-index.ts'
import { type FrozenWindow, freeze } from '../../ranking/window-state.ts'
import { SingleFlight } from '../../runtime/single-flight.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import { viewReached } from '../reached.ts'
import { type FollowDeps, Follower } from './follower.ts'
import type { CountedReason, IndexedBoard, IndexedWindows, SubmissionWindow } from './indexed.ts'
import { frozenShown, shownInside, streamOf } from './shown-inside.ts'

/** Boards with more entries than this are indexed. For smaller ones, counting the entries is fast enough. */
const INDEXED_FROM = 5_000
/** Estimated bytes per entry of an index, to decide before a build whether the index fits. */
const ENTRY_BYTES = 128
/** After a failed build or update, no build starts for this time. */
const RETRY_AFTER_MS = 1_000
/** How long a request waits for an index that is being built or updated; after that it counts the entries. */
const INDEX_WAIT_MS = 1_000
/**
 * Maximum size of `#requestedOnce`. A window of submissions is indexed on its second request. A window whose
 * bounds move with the clock has no second request, so its index would never be used.
 */
const MAX_REQUESTED_ONCE = 1_024

export type WindowIndexEvent = 'made' | 'evicted' | 'failed'

export interface WindowsOptions {
  /** Boards with more entries than this are indexed. */
  readonly from?: number
  /** Limit for all indexes together, including one being built or rebuilt. */
  readonly maxBytes: number
  /** Called when an index was built or rebuilt ('made'), evicted to free memory, or failed to build or update. */
  readonly onEvent?: (event: WindowIndexEvent, key: string, error?: unknown) => void
  /** Called with the reason for each window of a large board that was counted entry by entry. */
  readonly counted?: (reason: CountedReason) => void
  /** If true, a window of submissions is indexed on its first request; if false (default), on its second. */
  readonly atOnce?: boolean
}

interface CachedIndex {
  readonly index: WindowIndex
  readonly follower: Follower
  refreezing: Promise<void> | null
}

export class Windows implements IndexedWindows {
  readonly #deps: FollowDeps
  readonly #options: Required<WindowsOptions>
  readonly #requestedOnce = new Set<string>()
  /**
   * Keyed by `keyOf`: the ranking key and, of a window of submissions, the window's bounds. Least recently used
   * first.
   */
  readonly #indexes = new Map<string, CachedIndex>()
  readonly #updates = new SingleFlight<CachedIndex, boolean>()
  readonly #stopping = new AbortController()
  #building: { readonly key: string; readonly done: Promise<void> } | null = null
  #notBeforeMs = 0

  constructor(deps: FollowDeps, options: WindowsOptions) {
    this.#deps = deps
    this.#options = { from: INDEXED_FROM, onEvent() {}, counted() {}, atOnce: false, ...options }
  }

  counted(reason: CountedReason): void {
    this.#options.counted(reason)
  }

  get bytes(): number {
    return [...this.#indexes.values()].reduce((sum, { index }) => sum + index.bytes, 0)
  }

  async of(board: IndexedBoard): Promise<WindowIndex | null> {
    const key = keyOf(board)
    const reason = this.#indexes.has(key)
      ? null
      : await this.#begin(board, key).catch((error) => this.#failed(key, error))
    if (this.#building?.key === key) await withinWait(this.#building.done)
    const cached = this.#indexes.get(key)
    if (cached === undefined) {
      if (reason !== null) this.counted(reason)
      return null
    }
    this.#indexes.delete(key)
    this.#indexes.set(key, cached)
    const isCurrent = await withinWait(this.#caughtUp(cached)).catch((error: unknown) => this.#failed(key, error))
    if (cached.follower.isInvalid && this.#indexes.get(key) === cached) this.#indexes.delete(key)
    if (isCurrent !== true || cached.follower.isInvalid) {
      this.counted(isCurrent === 'failed' ? 'failed' : cached.follower.isInvalid ? 'building' : 'behind')
      return null
    }
    this.#refreezeWhereDue(key, cached)
    return cached.index
  }

  async shownOf(
    { board, window }: { readonly board: string; readonly window: SubmissionWindow },
    player: string,
  ): Promise<Shown | null> {
    return shownInside(await streamOf(this.#deps.log, board, player), window)
  }

  /** Aborts running work and releases all indexes. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the node is stopping'))
    const all = [...this.#indexes.values()]
    this.#indexes.clear()
    await Promise.all([this.#building?.done, ...all.map(({ refreezing }) => refreezing)])
  }

  /**
   * Runs an update that starts no earlier than this call. Concurrent calls share it. An update that is already running
   * does not suffice, because it may have read documents before this call. Resolves to true if the index has caught up.
   */
  #caughtUp(cached: CachedIndex): Promise<boolean> {
    return this.#updates.following(cached, () => cached.follower.catchUp(cached.index))
  }

  /** Starts a build if possible. Returns why there is no index yet; null for a small board. */
  async #begin(board: IndexedBoard, key: string): Promise<CountedReason | null> {
    const rankings = this.#deps.rankings.of(this.#deps.viewKey('entries'), partitionOf(board.game))
    const size = await rankings.size(board.key)
    if (size <= this.#options.from) return null
    if (size * ENTRY_BYTES > this.#options.maxBytes) return 'room'
    if (board.window && !this.#isRequestedAgain(key)) return 'once'
    if (performance.now() < this.#notBeforeMs) return 'failed'
    const isIdle = this.#building === null && !this.#stopping.signal.aborted
    if (isIdle && !this.#indexes.has(key)) {
      this.#evictFor(size * ENTRY_BYTES, key)
      this.#building = { key, done: this.#build(board, key) }
    }
    return 'building'
  }

  #isRequestedAgain(key: string): boolean {
    if (this.#options.atOnce || this.#requestedOnce.has(key)) return true
    this.#requestedOnce.add(key)
    const [first = ''] = this.#requestedOnce
    if (this.#requestedOnce.size > MAX_REQUESTED_ONCE) this.#requestedOnce.delete(first)
    return false
  }

  async #build(board: IndexedBoard, key: string): Promise<void> {
    const rankings = this.#deps.rankings.of(this.#deps.viewKey('entries'), partitionOf(board.game))
    const { signal } = this.#stopping
    try {
      const { views, viewKey } = this.#deps
      const applied = await viewReached(views, viewKey('entries'), board.game)
      const reached = await this.#deps.reached(board.game)
      // Submissions are also read from the history, which may be behind the documents. The index is then complete
      // only up to the earlier of the two positions.
      const at = board.window && (reached === null || (applied !== null && reached < applied)) ? reached : applied
      const frozen = board.window
        ? await frozenShown(this.#deps, board, board.window, signal)
        : await frozenRanking(rankings, board.key, signal)
      const follower = new Follower(this.#deps, board, at)
      this.#indexes.set(key, { index: new WindowIndex(frozen), follower, refreezing: null })
      this.#made(key)
    } catch (error) {
      this.#failed(key, error)
    } finally {
      this.#building = null
    }
  }

  #refreezeWhereDue(key: string, cached: CachedIndex): void {
    if (cached.refreezing !== null || !cached.index.isDue) return
    this.#evictFor(cached.index.bytes, key)
    cached.refreezing = new TimeSlices(this.#stopping.signal)
      .result(cached.index.refreeze())
      .then(() => this.#made(key))
      .catch((error: unknown) => {
        this.#indexes.delete(key)
        this.#failed(key, error)
      })
      .finally(() => {
        cached.refreezing = null
      })
  }

  #made(key: string): void {
    this.#options.onEvent('made', key)
    this.#evictFor(0, null)
  }

  /** Evicts the least recently used indexes, but never `except`, until this many more bytes fit into the limit. */
  #evictFor(bytes: number, except: string | null): void {
    for (const other of this.#indexes.keys()) {
      if (this.bytes + bytes <= this.#options.maxBytes) return
      if (other === except) continue
      this.#indexes.delete(other)
      this.#options.onEvent('evicted', other)
    }
  }

  #failed(key: string, error: unknown): 'failed' {
    this.#notBeforeMs = performance.now() + RETRY_AFTER_MS
    if (!this.#stopping.signal.aborted) this.#options.onEvent('failed', key, error)
    return 'failed'
  }
}

const keyOf = ({ key, window }: IndexedBoard): string =>
  window ? `${key} ${window.since ?? ''}/${window.until ?? ''}` : key

/** The result, or null after INDEX_WAIT_MS; the work then continues. */
async function withinWait<Result>(work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, INDEX_WAIT_MS, null)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

// Builds the snapshot of a board's window index from the sort keys of its ranking, which contain all that the index
// needs.

const PAGE = 500
/** Sort keys handled between two checks of the clock. */
const CHECK_CLOCK_EVERY = 64
/** Ranks by which a page overlaps the previous one. */
const SHARED = 32
const MAX_REREADS = 1_000

/**
 * Reads while the ranking changes: an entry that does not change meanwhile appears once; one that moves may appear
 * once, twice or not at all. Rejects like the rankings, and with the signal's reason.
 */
export async function frozenRanking(rankings: Rankings, key: string, signal: AbortSignal): Promise<FrozenWindow> {
  const packer = new SortKeyPacker()
  const slices = new TimeSlices(signal)
  let last = ''
  let offset = 0
  for (let again = 0; ; ) {
    const from = Math.max(0, offset - SHARED)
    const sortKeys = await rankings.range(key, from, PAGE)
    const [first] = sortKeys
    if (slices.due) await slices.yield()
    // Entries before this page were removed meanwhile, so others have moved in front of it: read again.
    if (from > 0 && (first === undefined || first > last)) {
      if (++again > MAX_REREADS) throw new Error(`the ranking ${key} moves too fast to be read`)
      offset = await rankings.before(key, last)
      continue
    }
    for (const [at, sortKey] of sortKeys.entries()) {
      if (at % CHECK_CLOCK_EVERY === 0 && slices.due) await slices.yield()
      if (sortKey <= last) continue
      packer.addText(sortKey)
      last = sortKey
    }
    if (sortKeys.length < PAGE) return slices.result(freeze(packer))
    offset = from + sortKeys.length
  }
}
