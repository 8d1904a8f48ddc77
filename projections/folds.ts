// The folded histories that a node has at hand while boards are rebuilt. Who builds has one made before the first slice, outside
// of the runner; who applies slices finds it here. It can be lost at any time: it is made again from the history.

import type { Position, StoredEvent } from '../domain/event.ts'
import { type FoldDeps, type FoldOptions, foldHistory } from './fold-history.ts'
import type { FoldedHistory } from './folded-history.ts'
import { DEFAULT_VIEWS_MEMORY } from './memory-budget.ts'
import { isParked, type Parked } from './parked.ts'
import type { BoardGeneration } from './projection.ts'

/** Held at once; and so many more where views are built beside themselves. */
const FOLDS_MOST = 2

/** One fold: of this generation, up to this position (null: the history's end), without what is parked. */
interface Wanted {
  readonly of: BoardGeneration
  readonly upTo: Position | null
  readonly parked: Parked
}

interface Held {
  readonly key: string
  readonly folded: Promise<FoldedHistory | null>
  /** Created and released by the builder. */
  readonly isPrepared: boolean
}

export class Folds {
  readonly #deps: FoldDeps
  readonly #bytesMost: number
  /** The one used last is the last. */
  #held: Held[] = []

  /** `bytes`: of all that a process folds. A board that takes more than its part is built event by event. */
  constructor(deps: FoldDeps, bytes: number = DEFAULT_VIEWS_MEMORY.ruleFolds) {
    this.#deps = deps
    this.#bytesMost = bytes / (2 * FOLDS_MOST)
  }

  /**
   * `upTo` null: as far as the history goes; then the answer is null where there is none, or where it takes too much memory. What was
   * begun by a fold is folded again whatever it takes.
   */
  async prepare(of: BoardGeneration, upTo: Position | null, parked: Parked, by: FoldOptions) {
    if (upTo !== null) return this.#get({ of, upTo, parked }, true, by)
    const folded = await this.#fold({ of, upTo, parked }, this.#bytesMost, by)
    if (folded === null || folded.end === null) return null
    this.#hold({ key: keyOf(of, folded.end.position, parked), folded: Promise.resolve(folded), isPrepared: true })
    return folded
  }

  /** The fold that a slice of this generation is of, which ends where its `asOf` says. `isLast`: no slice of it comes after. */
  async get(of: BoardGeneration, upTo: Position, parked: Parked, isLast: boolean): Promise<FoldedHistory> {
    const folded = await this.#get({ of, upTo, parked }, false)
    const held = this.#held.find(({ key }) => key === keyOf(of, upTo, parked))
    if (isLast && held?.isPrepared === false) this.#held = this.#held.filter((one) => one !== held)
    return folded
  }

  drop(board: string): void {
    this.#held = this.#held.filter(({ key }) => !key.startsWith(`${board} `))
  }

  async #get(
    wanted: Wanted & { readonly upTo: Position },
    isPrepared: boolean,
    by?: FoldOptions,
  ): Promise<FoldedHistory> {
    const key = keyOf(wanted.of, wanted.upTo, wanted.parked)
    let held = this.#held.find((one) => one.key === key)
    held ??= { key, folded: this.#fold(wanted, Number.POSITIVE_INFINITY, by), isPrepared }
    this.#hold(held)
    try {
      return (await held.folded) as FoldedHistory
    } catch (why) {
      this.#held = this.#held.filter((one) => one !== held)
      throw why
    }
  }

  #hold(held: Held): void {
    this.#held = [...this.#held.filter(({ key }) => key !== held.key), held].slice(-FOLDS_MOST)
  }

  #fold({ of: { board, rules }, upTo, parked }: Wanted, most: number, by?: FoldOptions) {
    const isTaken = (past: Pick<StoredEvent, 'stream' | 'position'>) => !isParked(parked, past)
    return foldHistory(this.#deps, { board, rules, upTo, isTaken }, most, by)
  }
}

/** What is parked later than the fold ends changes nothing in it. */
function keyOf({ board, generation }: BoardGeneration, upTo: Position, parked: Parked): string {
  const counts = [...parked].filter(([, position]) => position <= upTo)
  return [board, generation, upTo, JSON.stringify(counts.sort(([a], [b]) => (a < b ? -1 : 1)))].join(' ')
}
