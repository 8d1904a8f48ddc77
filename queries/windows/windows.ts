// The indexes of windows that this node has: of boards above a size, made when first asked for, in the background, and within
// a limit on memory. While a board has none, or it does not come to where the documents are, windows are counted.

import { WindowIndex } from '../../ranking/window-index.ts'
import { partitionOf } from '../../stores/contract/partition.ts'
import { frozenRanking } from './build.ts'
import { appliedTo, type FollowDeps, Follower } from './follower.ts'
import type { Followed, IndexedWindows } from './indexed.ts'
import { inTurns } from './turns.ts'

/** Boards of no more entries are counted: those are one page. */
export const INDEXED_FROM = 5_000
/** Bytes of all indexes of this process together, as they stand; one that is made anew takes twice its own meanwhile. */
export const WINDOW_INDEX_BYTES_MAX = 512 * 2 ** 20
/** What an entry takes while a board is indexed, for telling beforehand whether there is room. */
const ENTRY_BYTES = 128
/** After an index could not be made, none is begun for so long. */
const AGAIN_AFTER_MS = 1_000
/** How long a request waits for an index that is being made, or has much to make up for, before it counts. */
const PATIENCE_MS = 1_000

export type Told = 'made' | 'evicted' | 'failed'

export interface WindowsOptions {
  /** Indexed are boards of more entries than this. */
  readonly from?: number
  readonly bytesMax?: number
  /** Of an index that was made or made anew, was given up for want of room, or could not be made or followed. */
  readonly told?: (what: Told, key: string, why?: unknown) => void
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
  readonly #from: number
  readonly #bytesMax: number
  readonly #told: NonNullable<WindowsOptions['told']>
  /** By the key of the ranking; the one asked for last is the last. */
  readonly #held = new Map<string, Held>()
  readonly #stopping = new AbortController()
  #building: { readonly key: string; readonly done: Promise<void> } | null = null
  #notBeforeMs = 0

  constructor(deps: FollowDeps, { from, bytesMax, told }: WindowsOptions = {}) {
    this.#deps = deps
    this.#from = from ?? INDEXED_FROM
    this.#bytesMax = bytesMax ?? WINDOW_INDEX_BYTES_MAX
    this.#told = told ?? (() => {})
  }

  get bytes(): number {
    return [...this.#held.values()].reduce((sum, { index }) => sum + index.bytes, 0)
  }

  async of(board: Followed): Promise<WindowIndex | null> {
    if (!this.#held.has(board.key)) await this.#begin(board).catch((why) => this.#failed(board.key, why))
    if (this.#building?.key === board.key) await within(this.#building.done)
    const held = this.#held.get(board.key)
    if (held === undefined) return null
    this.#held.delete(board.key)
    this.#held.set(board.key, held)
    const isThere = await within(this.#caughtUp(held)).catch((why: unknown) => this.#failed(board.key, why))
    if (held.follower.isVoid) this.#held.delete(board.key)
    if (isThere !== true || held.follower.isVoid) return null
    this.#refreezeWhereDue(board.key, held)
    return held.index
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

  async #begin(board: Followed): Promise<void> {
    const rankings = this.#deps.rankings.of(this.#deps.viewKey('entries'), partitionOf(board.game))
    const size = await rankings.size(board.key)
    const isIdle = this.#building === null && performance.now() >= this.#notBeforeMs && !this.#stopping.signal.aborted
    if (!isIdle || this.#held.has(board.key)) return
    if (size <= this.#from || size * ENTRY_BYTES > this.#bytesMax) return
    const build = async () => {
      const at = await appliedTo(this.#deps, board.game)
      const index = new WindowIndex(await frozenRanking(rankings, board.key, this.#stopping.signal))
      const follower = new Follower(this.#deps, board, at)
      this.#held.set(board.key, { index, follower, running: null, next: null, refreezing: null })
      this.#made(board.key)
    }
    const done = build()
      .catch((why: unknown) => this.#failed(board.key, why))
      .finally(() => {
        this.#building = null
      })
    this.#building = { key: board.key, done }
  }

  #refreezeWhereDue(key: string, held: Held): void {
    if (held.refreezing !== null || !held.index.isDue) return
    held.refreezing = inTurns(held.index.refreeze(), this.#stopping.signal)
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
    this.#told('made', key)
    for (const other of this.#held.keys()) {
      if (this.bytes <= this.#bytesMax) return
      this.#held.delete(other)
      this.#told('evicted', other)
    }
  }

  #failed(key: string, why: unknown): void {
    this.#notBeforeMs = performance.now() + AGAIN_AFTER_MS
    if (!this.#stopping.signal.aborted) this.#told('failed', key, why)
  }
}

/** What comes of it, or null where that takes too long. */
async function within<Result>(work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
