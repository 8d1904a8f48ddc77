// Counts the entries of a board that rank before a given one among those set within any time window: exactly, in some
// microseconds, however many entries there are. Recent changes are kept beside a frozen snapshot; when there are many,
// a new snapshot is built in steps, while reads and changes continue.

import { SortKeyPacker } from './packed-sort-keys.ts'
import { type FrozenWindow, freeze, WindowState } from './window-state.ts'

/** Changes that make a new snapshot due: one per this many entries, within a minimum and a maximum. */
const ENTRIES_PER_CHANGE = 32
const CHANGES_MIN = 4_096
const CHANGES_MAX = 16_384
const ITEMS_PER_YIELD = 64
/** Missed changes that are applied per step. */
const MISSED_PER_STEP = 8

/** The new sort key of the entry with this id; null if it was removed. */
export type IndexChange = readonly [id: string, sortKey: string | null]

/** Times are Unix milliseconds; a window is `[since, until)`, unbounded if these are infinite. */
export class WindowIndex {
  #state: WindowState
  /** Changes since the snapshot being built began; null if none is being built. */
  #missed: IndexChange[] | null = null
  #isMoving = false

  constructor(frozen: FrozenWindow) {
    this.#state = new WindowState(frozen)
  }

  /** Estimated bytes; about twice that while a snapshot is built. */
  get bytes(): number {
    return this.#state.bytes
  }

  /** Whether there are enough changes for `refreeze`, and none is running. */
  get isDue(): boolean {
    const { changes, frozen } = this.#state
    const part = frozen.sortKeys.length / ENTRIES_PER_CHANGE
    return this.#missed === null && changes > Math.min(CHANGES_MAX, Math.max(CHANGES_MIN, part))
  }

  /** Sets the sort key of the entry with this id; null if it was removed. */
  set(id: string, sortKey: string | null): void {
    this.#missed?.push([id, sortKey])
    this.#state.set(id, sortKey)
  }

  /** Whether `setAll` is between two of its steps: ranks and counts then mix two states. */
  get isMoving(): boolean {
    return this.#isMoving
  }

  /**
   * Sets all of them. Run it in steps, one at a time. If it ends early, `isMoving` stays true until another one
   * completes.
   */
  *setAll(changes: readonly IndexChange[]): Generator<void, void> {
    for (const [at, [id, sortKey]] of changes.entries()) {
      this.#isMoving = true
      this.set(id, sortKey)
      if ((at + 1) % ITEMS_PER_YIELD === 0) yield
    }
    this.#isMoving = false
  }

  sortKeyOf(id: string): string | null {
    return this.#state.sortKeyOf(id)
  }

  /** The number of entries of the window that rank before this sort key, which need not be in the index. O(log n). */
  before(sortKey: string, since: number, until: number): number {
    return this.#state.before(this.#state.positionOf(sortKey), since, until)
  }

  size(since: number, until: number): number {
    return this.#state.size(since, until)
  }

  /** At most `limit` sort keys of the window in rank order, from rank `offset` on. O(log² n + limit · log n). */
  range(offset: number, limit: number, since: number, until: number): string[] {
    return this.#state.range(offset, limit, since, until)
  }

  /** Builds a new snapshot. Run it in steps, one at a time; reads and changes may come between. O(n log n). */
  *refreeze(): Generator<void, void> {
    const missed: IndexChange[] = []
    const state = this.#state
    this.#missed = missed
    const made = new WindowState(yield* freeze(yield* packed(state)))
    for (let next = 0; next < missed.length; ) {
      const end = Math.min(missed.length, next + MISSED_PER_STEP)
      for (const [id, sortKey] of missed.slice(next, end)) made.set(id, sortKey)
      next = end
      yield
    }
    // No change can come between the last check of missed changes and this.
    this.#state = made
    this.#missed = null
  }
}

/** Packs the current sort keys in order. */
function* packed(state: WindowState): Generator<void, SortKeyPacker> {
  const { added, removed } = yield* state.settle()
  const packer = new SortKeyPacker()
  const { sortKeys } = state.frozen
  let nextAdded = 0
  let nextRemoved = 0
  for (let index = 0; index <= sortKeys.length; index++) {
    for (; added[nextAdded]?.at === index; nextAdded++)
      packer.addText((added[nextAdded] as { sortKey: string }).sortKey)
    if (removed[nextRemoved]?.at === index) nextRemoved++
    else if (index < sortKeys.length) sortKeys.copy(index, packer)
    if (index % ITEMS_PER_YIELD === 0) yield
  }
  return packer
}
