// Previews of rule changes, one at a time and within a number of bytes: each holds much in memory.

import { Refusal } from '../domain/decider.ts'
import type { Position } from '../domain/event.ts'
import type { Rules } from '../domain/leaderboard.ts'
import type { QueryDeps } from './deps.ts'
import type { Board } from './leaderboard.ts'
import { type Preview, previewRules } from './preview.ts'
import { Turns } from './turns.ts'

const TURNS = { atOnce: 1, atOnceOfGame: 1, waiting: 64, waitingOfGame: 16 }

interface PreviewDeps {
  readonly queries: QueryDeps
  /** How far the history of a game is whole by now; null where nothing is there yet. */
  reached(game: string): Promise<Position | null>
  /** What one may take of memory. */
  readonly bytesMost: number
}

/**
 * How a board of this game would stand under other rules. Both are asked for when its turn comes: while it waited the
 * rules may have changed. Throws what that throws, 503 `preview_busy`, 422 `board_too_large`, and the signal's reason.
 */
export type Previews = (game: string, asItStands: () => Promise<Asked>, signal: AbortSignal) => Promise<Preview>

interface Asked {
  readonly board: Board
  readonly rules: Rules
}

export function createPreviews({ queries, reached, bytesMost }: PreviewDeps): Previews {
  const turns = new Turns(TURNS, busy)
  return (game, asItStands, signal) => {
    const work = async () =>
      previewRules(queries, { ...(await asItStands()), upTo: await reached(game), bytesMost, signal })
    return turns.run(game, work, signal)
  }
}

function busy(): Refusal {
  const detail = 'Too many previews of rule changes are being computed. Ask again in a moment.'
  return new Refusal('unavailable', 'preview_busy', detail, { retry_after: 5 })
}
