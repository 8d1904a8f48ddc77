// The indexes of windows that this node has: of boards above a size, made when first asked for, in the background, and
// within a limit on memory. While a board has none, or it does not come to where the documents are, windows are
// counted.

import type { StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { WindowIndex } from '../../ranking/window-index.ts'
import { TimeSlices } from '../../scheduling/time-slices.ts'
import { viewReached } from '../reached.ts'
import { bestInside, frozenBest, streamOf } from './best.ts'
import { frozenRanking } from './build.ts'
import { type FollowDeps, Follower } from './follower.ts'
import type { BestInside, Counted, Followed, IndexedWindows } from './indexed.ts'

/** Boards of no more entries are counted: those are one page. */
const INDEXED_FROM = 5_000
/** What an entry takes while a board is indexed, for telling beforehand whether there is room. */
const ENTRY_BYTES = 128
/** After an index could not be made, none is begun for so long. */
const AGAIN_AFTER_MS = 1_000
/** How long a request waits for an index that is being made, or has much to make up for, before it counts. */
const PATIENCE_MS = 1_000
/** Windows of best submissions that were asked for once. One that moves with the clock is never asked for again. */
const ONCE_MAX = 1_024

export type Told = 'made' | 'evicted' | 'failed'

export interface WindowsOptions {
  /** Indexed are boards of more entries than this. */
  readonly from?: number
  /** Limit for all indexes together, including one being built or rebuilt. */
  readonly bytesMax: number
  /** An index was built or rebuilt, evicted for memory, or failed to build or follow. */
  readonly told?: (what: Told, key: string, why?: unknown) => void
  /** Of each window of a large board that was counted. */
  readonly counted?: (why: Counted) => void
  /** Whether a window of best submissions is indexed when it is asked for once; else from the second time on. */
  readonly atOnce?: boolean
}

interface Held {
  readonly index: WindowIndex
  readonly follower: Follower
  /** A catching up, and the one that begins after it for those who ask meanwhile. */
  running: Promise<boolean> | null
  next: Promise<boolean> | null
  refreezing: Promise<void> | null
}

export class Windows implements IndexedWindows {
  readonly #deps: FollowDeps
  readonly #options: Required<WindowsOptions>
  readonly #askedOnce = new Set<string>()
  /**
   * By the key of the ranking, and of a window of best submissions its bounds too; the one asked for last is the last.
   */
  readonly #held = new Map<string, Held>()
  readonly #stopping = new AbortController()
  #building: { readonly key: string; readonly done: Promise<void> } | null = null
  #notBeforeMs = 0

  constructor(deps: FollowDeps, options: WindowsOptions) {
    this.#deps = deps
    this.#options = { from: INDEXED_FROM, told() {}, counted() {}, atOnce: false, ...options }
  }

  counted(why: Counted): void {
    this.#options.counted(why)
  }

  get bytes(): number {
    return [...this.#held.values()].reduce((sum, { index }) => sum + index.bytes, 0)
  }

  async of(board: Followed): Promise<WindowIndex | null> {
    const key = keyOf(board)
    const begun = this.#held.has(key) ? null : await this.#begin(board, key).catch((why) => this.#failed(key, why))
    if (this.#building?.key === key) await inTime(this.#building.done)
    const held = this.#held.get(key)
    if (held === undefined) {
      if (begun !== null) this.counted(begun)
      return null
    }
    this.#held.delete(key)
    this.#held.set(key, held)
    const isThere = await inTime(this.#caughtUp(held)).catch((why: unknown) => this.#failed(key, why))
    if (held.follower.isVoid && this.#held.get(key) === held) this.#held.delete(key)
    if (isThere !== true || held.follower.isVoid) {
      this.counted(isThere === 'failed' ? 'failed' : held.follower.isVoid ? 'building' : 'behind')
      return null
    }
    this.#refreezeWhereDue(key, held)
    return held.index
  }

  async bestOf({ board, best }: Followed & { readonly best: BestInside }, player: string): Promise<StoredEvent | null> {
    return bestInside(await streamOf(this.#deps.log, board, player), best)
  }

  /** Ends what is under way, and gives all of them up. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the node is stopping'))
    const all = [...this.#held.values()]
    this.#held.clear()
    await Promise.all([this.#building?.done, ...all.map(({ refreezing }) => refreezing)])
  }

  /** What runs already may have looked before this was called. */
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

  /** Why there is none just now; null where the board is small. */
  async #begin(board: Followed, key: string): Promise<Counted | null> {
    const rankings = this.#deps.rankings.of(this.#deps.viewKey('entries'), partitionOf(board.game))
    const size = await rankings.size(board.key)
    if (size <= this.#options.from) return null
    if (size * ENTRY_BYTES > this.#options.bytesMax) return 'room'
    if (board.best && !this.#isAskedAgain(key)) return 'once'
    if (performance.now() < this.#notBeforeMs) return 'failed'
    const isIdle = this.#building === null && !this.#stopping.signal.aborted
    if (isIdle && !this.#held.has(key)) {
      this.#giveUpFor(size * ENTRY_BYTES, key)
      this.#building = { key, done: this.#build(board, key) }
    }
    return 'building'
  }

  #isAskedAgain(key: string): boolean {
    if (this.#options.atOnce || this.#askedOnce.has(key)) return true
    this.#askedOnce.add(key)
    const [first = ''] = this.#askedOnce
    if (this.#askedOnce.size > ONCE_MAX) this.#askedOnce.delete(first)
    return false
  }

  async #build(board: Followed, key: string): Promise<void> {
    const rankings = this.#deps.rankings.of(this.#deps.viewKey('entries'), partitionOf(board.game))
    const { signal } = this.#stopping
    try {
      const { views, viewKey } = this.#deps
      const applied = await viewReached(views, viewKey('entries'), board.game)
      const reached = await this.#deps.reached(board.game)
      // Of best submissions the history is read too.
      const at = board.best && (reached === null || (applied !== null && reached < applied)) ? reached : applied
      const frozen = board.best
        ? await frozenBest(this.#deps, board, board.best, signal)
        : await frozenRanking(rankings, board.key, signal)
      const follower = new Follower(this.#deps, board, at)
      this.#held.set(key, { index: new WindowIndex(frozen), follower, running: null, next: null, refreezing: null })
      this.#made(key)
    } catch (why) {
      this.#failed(key, why)
    } finally {
      this.#building = null
    }
  }

  #refreezeWhereDue(key: string, held: Held): void {
    if (held.refreezing !== null || !held.index.isDue) return
    this.#giveUpFor(held.index.bytes, key)
    held.refreezing = new TimeSlices(this.#stopping.signal)
      .result(held.index.refreeze())
      .then(() => this.#made(key))
      .catch((why: unknown) => {
        this.#held.delete(key)
        this.#failed(key, why)
      })
      .finally(() => {
        held.refreezing = null
      })
  }

  #made(key: string): void {
    this.#options.told('made', key)
    this.#giveUpFor(0, null)
  }

  /** Gives up those asked for longest ago, until there is room for so much beside the others. */
  #giveUpFor(bytes: number, except: string | null): void {
    for (const other of this.#held.keys()) {
      if (this.bytes + bytes <= this.#options.bytesMax) return
      if (other === except) continue
      this.#held.delete(other)
      this.#options.told('evicted', other)
    }
  }

  #failed(key: string, why: unknown): 'failed' {
    this.#notBeforeMs = performance.now() + AGAIN_AFTER_MS
    if (!this.#stopping.signal.aborted) this.#options.told('failed', key, why)
    return 'failed'
  }
}

const keyOf = ({ key, best }: Followed): string => (best ? `${key} ${best.since ?? ''}/${best.until ?? ''}` : key)

/** What comes of it, or null where that takes too long. */
async function inTime<Result>(work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
