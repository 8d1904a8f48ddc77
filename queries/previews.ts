// Previews of rule changes, one at a time and within a number of bytes: each holds much in memory.

import type { Rules } from '../domain/board-rules.ts'
import type { Position } from '../domain/event.ts'
import type { QueryDeps } from './deps.ts'
import type { Board } from './leaderboard.ts'
import { type Preview, previewRules } from './preview.ts'
import { type ReadCaller, ReadQueue } from './work-queue.ts'

interface PreviewDeps {
  readonly queries: QueryDeps
  /** How far the history of a game is whole by now; null where nothing is there yet. */
  reached(game: string): Promise<Position | null>
  /** What one may take of memory. */
  readonly bytesMost: number
  readonly queue?: ReadQueue
}

/**
 * How a board of this game would look under other rules. Both are read when the caller's turn comes: while it waited the
 * rules may have changed. Throws what `asItStands` throws, 503 `reads_busy`, 422 `board_too_large`, and the signal's reason.
 */
export type Previews = (caller: ReadCaller, asItStands: () => Promise<Asked>) => Promise<Preview>

interface Asked {
  readonly board: Board
  readonly rules: Rules
}

export function createPreviews({ queries, reached, bytesMost, queue = new ReadQueue() }: PreviewDeps): Previews {
  return (caller, asItStands) =>
    queue.run(caller, 'preview', async (slices) => {
      const asked = await asItStands()
      return previewRules(queries, { ...asked, upTo: await reached(asked.board.game), bytesMost, slices })
    })
}
