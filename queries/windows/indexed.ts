// What queries know of the indexes of windows.

import type { StoredEvent } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'

/** A window of which each player's best submission is ranked, in place of the entries set inside it. */
export interface BestInside {
  /** ISO 8601, UTC, milliseconds. */
  readonly since: string | null
  readonly until: string | null
  readonly rules: Rules
}

/** A board in one generation of its entries. */
export interface Followed {
  readonly board: string
  readonly game: string
  readonly generation: number
  readonly unique: boolean
  /** Of its ranking. */
  readonly key: string
  /** Only of a unique board. */
  readonly best?: BestInside | null
  /** The id of the document of a player's entry that a submission is, or is part of. */
  documentFor(player: string, submission: string): string
}

/**
 * Why a window of a large board was counted: its index is being made, or another one; it would not fit; it could not be
 * made or followed; it is behind the documents, or their checkpoint is; these do not come to agree with it; a window of
 * best submissions that was asked for once; or one that is listed by time.
 */
export type Counted = 'building' | 'room' | 'failed' | 'behind' | 'moving' | 'once' | 'by_time'

export interface IndexedWindows {
  /**
   * A board's index, as far as its documents were when this was called, or further; null where there is none just now,
   * which may begin one. What is asked of it in one turn is the board at one position of its entries, unless it `isMoving`
   * in that turn: then ask for it again. Never rejects.
   */
  of(board: Followed): Promise<WindowIndex | null>
  /** A player's best inside, by what is recorded; null where there is none. */
  bestOf(board: Followed & { readonly best: BestInside }, player: string): Promise<StoredEvent | null>
  /** Call it when counting although an index exists. */
  counted(why: Counted): void
}
