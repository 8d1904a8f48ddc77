// GET scores with `as_of`: a page of a leaderboard as it was at an instant, by the same `listRows` as the live board.

import { Refusal } from '../../domain/decider.ts'
import type { Board } from '../leaderboard.ts'
import { listRows } from '../scores/list.ts'
import type { ScoresPage, ScoresQuery } from '../scores/query.ts'
import type { ReadQueue } from '../work-queue.ts'
import type { PastBoard } from './board.ts'
import type { PastBoards } from './boards.ts'
import type { Instant } from './deps.ts'
import { pastReader } from './reader.ts'

export async function listScoresAsOf(
  { past, reads }: { readonly past: PastBoards; readonly reads: ReadQueue },
  board: Board,
  query: ScoresQuery,
  instant: Instant,
): Promise<ScoresPage> {
  const then = await existingPastBoard(past, board, instant)
  const reader = pastReader(past.deps, then, query.playerName !== null, instant)
  return listRows(reader, query, reads.of(instant))
}

/** The leaderboard at an instant; 404 `leaderboard_not_found` if it did not exist yet. */
export async function existingPastBoard(past: PastBoards, board: Board, instant: Instant): Promise<PastBoard> {
  const found = await past.at(board, instant)
  if (found !== null) return found
  throw new Refusal('not_found', 'leaderboard_not_found', 'This leaderboard did not exist at that time.')
}
