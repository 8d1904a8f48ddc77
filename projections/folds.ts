// The folded histories that a node keeps while rules of boards change. The reaction that drives a rule change makes a
// fold before the first range, outside the projector; the projector finds it here. A fold can be lost at any time: it
// is then made again from the history.

import type { Position, StoredEvent } from '../domain/event.ts'
import { type FoldDeps, type FoldedHistory, type FoldOptions, foldHistory } from './folded-history.ts'
import { DEFAULT_VIEWS_MEMORY } from './memory-budget.ts'
import { isParked, type Parked } from './parked.ts'
import type { BoardGeneration } from './projection.ts'

/** Folds kept at once per instance. A node that also builds views in the background has a second instance. */
const MAX_FOLDS = 2

/** A fold: of this generation, up to this position (null: the end of the history), without parked streams. */
interface Wanted {
  readonly of: BoardGeneration
  readonly upTo: Position | null
  readonly parked: Parked
}

interface CachedFold {
  readonly key: string
  readonly folded: Promise<FoldedHistory | null>
  /** Made by `prepare`, and dropped by the same caller. */
  readonly isPrepared: boolean
}

export class Folds {
  readonly #deps: FoldDeps
  readonly #maxBytes: number
  /** Least recently used first. */
  #cached: CachedFold[] = []

  /** `bytes`: limit for all folds of a process. A board that needs more than its share is built event by event. */
  constructor(deps: FoldDeps, bytes: number = DEFAULT_VIEWS_MEMORY.ruleFolds) {
    this.#deps = deps
    this.#maxBytes = bytes / (2 * MAX_FOLDS)
  }

  /**
   * With `upTo` null, folds to the end of the history; returns null if the history is empty or the fold would take too
   * much memory. With a position, the build was already begun with a fold, so it is folded again without a memory
   * limit.
   */
  async prepare(of: BoardGeneration, upTo: Position | null, parked: Parked, options: FoldOptions) {
    if (upTo !== null) return this.#get({ of, upTo, parked }, true, options)
    const folded = await this.#fold({ of, upTo, parked }, this.#maxBytes, options)
    if (folded === null || folded.end === null) return null
    this.#cache({ key: keyOf(of, folded.end.position, parked), folded: Promise.resolve(folded), isPrepared: true })
    return folded
  }

  /**
   * The fold that a range of this generation was cut from; it ends at the range's `asOf`. `isLast`: no other range of
   * it follows.
   */
  async get(of: BoardGeneration, upTo: Position, parked: Parked, isLast: boolean): Promise<FoldedHistory> {
    const folded = await this.#get({ of, upTo, parked }, false)
    const cached = this.#cached.find(({ key }) => key === keyOf(of, upTo, parked))
    if (isLast && cached?.isPrepared === false) this.#cached = this.#cached.filter((one) => one !== cached)
    return folded
  }

  drop(board: string): void {
    this.#cached = this.#cached.filter(({ key }) => !key.startsWith(`${board} `))
  }

  async #get(
    wanted: Wanted & { readonly upTo: Position },
    isPrepared: boolean,
    options?: FoldOptions,
  ): Promise<FoldedHistory> {
    const key = keyOf(wanted.of, wanted.upTo, wanted.parked)
    let cached = this.#cached.find((one) => one.key === key)
    cached ??= { key, folded: this.#fold(wanted, Number.POSITIVE_INFINITY, options), isPrepared }
    this.#cache(cached)
    try {
      return (await cached.folded) as FoldedHistory
    } catch (error) {
      this.#cached = this.#cached.filter((one) => one !== cached)
      throw error
    }
  }

  #cache(cached: CachedFold): void {
    this.#cached = [...this.#cached.filter(({ key }) => key !== cached.key), cached].slice(-MAX_FOLDS)
  }

  #fold({ of: { board, rules }, upTo, parked }: Wanted, maxBytes: number, options?: FoldOptions) {
    const isTaken = (past: Pick<StoredEvent, 'stream' | 'position'>) => !isParked(parked, past)
    return foldHistory(this.#deps, { board, rules, upTo, isTaken }, maxBytes, options)
  }
}

/** Streams that were parked after the end of the fold do not matter. */
function keyOf({ board, generation }: BoardGeneration, upTo: Position, parked: Parked): string {
  const counts = [...parked].filter(([, position]) => position <= upTo)
  return [board, generation, upTo, JSON.stringify(counts.sort(([a], [b]) => (a < b ? -1 : 1)))].join(' ')
}
