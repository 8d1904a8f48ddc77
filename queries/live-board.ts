// The head of a leaderboard for realtime watchers, and a cheap check whether it can have changed.

import { partitionOf } from '../domain/partition.ts'
import type { QueryDeps } from './deps.ts'
import { findBoard } from './leaderboard.ts'
import { BoardReader } from './scores/board-reader.ts'
import { rankedAnswer } from './scores/entry.ts'
import { listRows, UNFILTERED } from './scores/list.ts'

export type LiveRow = ReturnType<typeof rankedAnswer>

/** The best `top` entries of a board of this game; null if the game has no such board. */
export async function liveBoard(
  deps: QueryDeps,
  game: string,
  leaderboard: string,
  top: number,
): Promise<readonly LiveRow[] | null> {
  const board = await findBoard(deps, leaderboard)
  if (board === null || board.game !== game) return null
  const query = { ...UNFILTERED, order: 'best', limit: top, offset: 0 } as const
  const { rows } = await listRows(new BoardReader(deps, board), query)
  return rows.map(rankedAnswer)
}

/**
 * For each game, a text that changes whenever its boards may have changed: the positions of the views that they are
 * read from, and the active builds. `keyOf` returns the key of the active build of a view `name@version`.
 */
export async function boardVersions(
  deps: QueryDeps,
  games: Iterable<string>,
  keyOf: (view: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const views = ['entries', 'leaderboards'].map((name) => deps.viewKey(name))
  // Read the active builds first: a switch after this is seen by the next check.
  const builds = views.map(keyOf).join(' ')
  const [entries, boards] = await Promise.all(views.map((view) => deps.views.checkpoints(view)))
  const versionOf = (game: string) => {
    const partition = partitionOf(game)
    return `${builds} ${entries?.get(partition)?.position} ${boards?.get(partition)?.position}`
  }
  return new Map(Array.from(games, (game) => [game, versionOf(game)]))
}
