// What queries know of the indexes of windows.

import type { WindowIndex } from '../../ranking/window-index.ts'

/** A board in one generation of its entries. */
export interface Followed {
  readonly board: string
  readonly game: string
  readonly generation: number
  readonly unique: boolean
  /** Of its ranking. */
  readonly key: string
  /** The id of the document of a player's entry that a submission is, or is part of. */
  documentFor(player: string, submission: string): string
}

export interface IndexedWindows {
  /**
   * A board's index, as far as its documents were when this was called, or further; null where there is none just now, which
   * may begin one. What is asked of it in one turn is of one state. Never rejects.
   */
  of(board: Followed): Promise<WindowIndex | null>
}
