// Reads that hold all of a player's stream on a board at once: of a long one they wait for their turn.

import { scoreStream } from '../domain/score.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Board } from './leaderboard.ts'
import type { Turns } from './turns.ts'

/** Who holds more events than these of one stream does so in a turn: many such at once would fill the memory. */
const LONG = 1_000

/** Runs what holds all that a player sent to a board: of a long stream when its turn comes. Throws as `Turns` does. */
export async function inTurnIfLong<Result>(
  { turns, log }: { readonly turns: Turns; readonly log: Pick<Log, 'readStream'> },
  board: Pick<Board, 'id' | 'game'>,
  player: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const isLong = (await log.readStream(scoreStream(board.id, player), LONG, 1)).length > 0
  return isLong ? turns.run(board.game, work, signal) : work()
}
