// Making, describing and archiving leaderboards.

import {
  archiveLeaderboard,
  boardStream,
  changeLeaderboard,
  createLeaderboard,
  type Leaderboard,
  type LeaderboardChange,
  leaderboard,
  type NewLeaderboard,
} from '../domain/leaderboard.ts'
import type { CommandDeps } from './deps.ts'
import type { Intent } from './intent.ts'

const about = (board: string, game: string) => ({ stream: boardStream(board), game, board })

export async function makeLeaderboard(deps: CommandDeps, game: string, data: NewLeaderboard, intent: Intent) {
  const id = intent.mint.id('leaderboard')
  const handled = await deps.handler.handle(leaderboard, about(id, game), intent, createLeaderboard(data))
  return { id, handled }
}

/** `expect` refuses when the leaderboard is not as the caller last saw it. */
export function setLeaderboard(
  deps: CommandDeps,
  place: { readonly board: string; readonly game: string },
  change: LeaderboardChange,
  expect: (state: Leaderboard) => void,
  intent: Intent,
) {
  return deps.handler.handle(leaderboard, about(place.board, place.game), intent, changeLeaderboard(change, expect))
}

export function archive(deps: CommandDeps, board: string, game: string, intent: Intent) {
  return deps.handler.handle(leaderboard, about(board, game), intent, archiveLeaderboard)
}
