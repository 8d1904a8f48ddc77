// The interface of window indexes for queries.

import type { Rules } from '../../domain/board-rules.ts'
import type { Shown } from '../../domain/entry.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'

/** A window that ranks what each player's submissions inside it show, instead of the entries set inside it. */
export interface SubmissionWindow {
  /** ISO 8601, UTC, milliseconds. */
  readonly since: string | null
  readonly until: string | null
  readonly rules: Rules
}

/** A board in one generation of its entries. */
export interface IndexedBoard {
  readonly board: string
  readonly game: string
  readonly generation: number
  readonly unique: boolean
  /** The key of its ranking. */
  readonly key: string
  /** Only for a unique board: the index is of this window. Otherwise it is of all entries, for any window. */
  readonly window?: SubmissionWindow | null
}

/**
 * Why a window of a large board was counted entry by entry: its index or another one is being built ('building'); it
 * would not fit ('room'); it could not be built or updated ('failed'); it, or the documents' checkpoint, is behind
 * ('behind'); it and the documents do not agree after several attempts ('moving'); a window of submissions was
 * requested for the first time ('once'), or is listed by time ('by_time').
 */
export type CountedReason = 'building' | 'room' | 'failed' | 'behind' | 'moving' | 'once' | 'by_time'

export interface IndexedWindows {
  /**
   * A board's index, at least as current as its documents were when this was called; null if there is none now, in
   * which case one may be started. Everything read from it in one turn of the event loop is the board at one position,
   * unless it `isMoving` in that turn: then call this again. Never rejects.
   */
  of(board: IndexedBoard): Promise<WindowIndex | null>
  /** What a player's submissions inside the window show, according to the log; null if none of them counts. */
  shownOf(of: { readonly board: string; readonly window: SubmissionWindow }, player: string): Promise<Shown | null>
  /** Call it when a window is counted although an index exists. */
  counted(reason: CountedReason): void
}
