// Runs previews of rule changes, one at a time and within a number of bytes, because each needs much memory.

import type { Rules } from '../domain/board-rules.ts'
import type { Position } from '../domain/event.ts'
import type { Paging, QueryDeps } from './deps.ts'
import type { Board } from './leaderboard.ts'
import { type Preview, previewRules } from './preview.ts'
import { type ReadCaller, ReadQueue } from './work-queue.ts'

interface PreviewDeps {
  readonly queries: QueryDeps
  /** The position up to which a game's history is complete; null if there is none yet. */
  reached(game: string): Promise<Position | null>
  /** Maximum bytes of a preview. */
  readonly maxBytes: number
  readonly queue?: ReadQueue
}

/**
 * Previews a board under other rules. `readCurrent` reads the board and the rules once the caller's turn comes, because
 * they may change while it waits. Throws what `readCurrent` throws, 503 `reads_busy`, 422 `board_too_large`, and the
 * signal's reason.
 */
export type Previews = (caller: ReadCaller, readCurrent: () => Promise<PreviewTarget>) => Promise<Preview>

interface PreviewTarget {
  readonly board: Board
  readonly rules: Rules
  /** The page of players that move; null: none. */
  readonly paging?: Paging | null
}

export function createPreviews({ queries, reached, maxBytes, queue = new ReadQueue() }: PreviewDeps): Previews {
  return (caller, readCurrent) =>
    queue.run(caller, 'preview', async (slices) => {
      const target = await readCurrent()
      return previewRules(queries, { ...target, upTo: await reached(target.board.game), maxBytes, slices })
    })
}
