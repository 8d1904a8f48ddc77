// How many entries of a board stand before one of them, of those set within any window of time: exact, and counted in
// some microseconds however many there are. Changes are kept beside the frozen part until there are many, and are
// then merged into a new frozen part in time slices, while reads and changes continue.

import { type FrozenWindow, freeze } from './frozen-window.ts'
import { MemberPacker } from './packed-members.ts'
import { WindowState } from './window-state.ts'

/** Changes that trigger a merge: one in so many entries, within these bounds. */
const CHANGES_PART = 32
const CHANGES_MIN = 4_096
const CHANGES_MAX = 16_384
const SLICE = 64
/** Changes of others that are made up for between two turns. */
const MADE_UP = 8

/** The member that the entry with this id has from now on; null: it is not there. */
export type IndexChange = readonly [id: string, member: string | null]

/** Times are Unix milliseconds; a window is `[since, until)`, and without bounds where these are infinite. */
export class WindowIndex {
  #state: WindowState
  /** During a merge: changes since it began. */
  #missed: IndexChange[] | null = null
  #isMoving = false

  constructor(frozen: FrozenWindow) {
    this.#state = new WindowState(frozen)
  }

  /** Approximate memory in bytes; about twice that during a merge. */
  get bytes(): number {
    return this.#state.bytes
  }

  /** Whether so much has changed that it is time for `refreeze`, which is not under way. */
  get isDue(): boolean {
    const { changes, frozen } = this.#state
    const part = frozen.members.length / CHANGES_PART
    return this.#missed === null && changes > Math.min(CHANGES_MAX, Math.max(CHANGES_MIN, part))
  }

  /** The entry with this id has this member from now on, in place of any other; null: it is not there. */
  set(id: string, member: string | null): void {
    this.#missed?.push([id, member])
    this.#state.set(id, member)
  }

  /** Whether `setAll` is between two of its steps: ranks and counts are then of no state that ever was. */
  get isMoving(): boolean {
    return this.#isMoving
  }

  /** Sets all of them. To be run in slices, one at a time. Where it ends early, the index moves until another one ends. */
  *setAll(changes: readonly IndexChange[]): Generator<void, void> {
    for (const [at, [id, member]] of changes.entries()) {
      this.#isMoving = true
      this.set(id, member)
      if ((at + 1) % SLICE === 0) yield
    }
    this.#isMoving = false
  }

  memberOf(id: string): string | null {
    return this.#state.memberOf(id)
  }

  /** How many entries of the window come before this member, whether or not it is here itself. O(log n). */
  before(member: string, since: number, until: number): number {
    return this.#state.before(this.#state.placeOf(member), since, until)
  }

  size(since: number, until: number): number {
    return this.#state.size(since, until)
  }

  /** Members of the window in rank order, at most `limit`, from place `offset` of it on. O(log² n + limit · log n). */
  range(offset: number, limit: number, since: number, until: number): string[] {
    return this.#state.range(offset, limit, since, until)
  }

  /** Freezes all as it stands. To be run in slices, one at a time, with anything between them. O(n log n). */
  *refreeze(): Generator<void, void> {
    const missed: IndexChange[] = []
    const state = this.#state
    this.#missed = missed
    const made = new WindowState(yield* freeze(yield* packed(state)))
    for (let next = 0; next < missed.length; ) {
      const end = Math.min(missed.length, next + MADE_UP)
      for (const [id, member] of missed.slice(next, end)) made.set(id, member)
      next = end
      yield
    }
    // Nothing comes between the last look at what was missed and this.
    this.#state = made
    this.#missed = null
  }
}

/** What stands of it, in order. */
function* packed(state: WindowState): Generator<void, MemberPacker> {
  const { added, taken } = yield* state.settle()
  const packer = new MemberPacker()
  const { members } = state.frozen
  let nextAdded = 0
  let nextTaken = 0
  for (let place = 0; place <= members.length; place++) {
    for (; added[nextAdded]?.at === place; nextAdded++) packer.addText((added[nextAdded] as { member: string }).member)
    if (taken[nextTaken]?.at === place) nextTaken++
    else if (place < members.length) members.copy(place, packer)
    if (place % SLICE === 0) yield
  }
  return packer
}
