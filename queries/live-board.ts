// The head of a leaderboard as those who watch it see it, and how to tell without reading
// it that it cannot have changed.

import { partitionOf } from '../domain/partition.ts'
import type { QueryDeps } from './deps.ts'
import { findBoard } from './leaderboard.ts'
import { rankedAnswer } from './scores/entry.ts'
import { listScores, UNFILTERED } from './scores/list.ts'

export type LiveRow = ReturnType<typeof rankedAnswer>

/** The best `top` entries of a board of this game; null where it has no such board. */
export async function liveBoard(
  deps: QueryDeps,
  game: string,
  leaderboard: string,
  top: number,
): Promise<readonly LiveRow[] | null> {
  const board = await findBoard(deps, leaderboard)
  if (board === null || board.game !== game) return null
  const { rows } = await listScores(deps, board, { ...UNFILTERED, order: 'best', limit: top, offset: 0 })
  return rows.map(rankedAnswer)
}

/**
 * For each game, where the views that its boards are read from stand, and which builds of them are shown: another text
 * where anything may have changed. `keyOf` gives the key of the build that is shown, of a view by its `name@version`.
 */
export async function boardsMarks(
  deps: QueryDeps,
  games: Iterable<string>,
  keyOf: (view: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const views = ['entries', 'leaderboards'].map((name) => deps.viewKey(name))
  // Before anything is read: a switch after this shows at the next look.
  const shown = views.map(keyOf).join(' ')
  const [entries, boards] = await Promise.all(views.map((view) => deps.views.checkpoints(view)))
  const mark = (game: string) => {
    const partition = partitionOf(game)
    return `${shown} ${entries?.get(partition)?.position} ${boards?.get(partition)?.position}`
  }
  return new Map(Array.from(games, (game) => [game, mark(game)]))
}
