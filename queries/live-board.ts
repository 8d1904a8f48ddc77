// The head of a leaderboard, or of its current season, for realtime watchers, and a cheap check whether it can have
// changed.

import { partitionOf } from '../domain/partition.ts'
import type { QueryDeps } from './deps.ts'
import { findBoard, type RankedBoard } from './leaderboard.ts'
import { BoardReader } from './scores/board-reader.ts'
import { rankedAnswer } from './scores/entry.ts'
import { listRows, UNFILTERED } from './scores/list.ts'
import { currentSeason } from './seasons.ts'

export type LiveRow = ReturnType<typeof rankedAnswer>

export interface LiveBoardQuery {
  readonly game: string
  readonly leaderboard: string
  /** The number of rows. */
  readonly top: number
  /** `current`: the rows of the current season; null: those of the leaderboard. */
  readonly season: 'current' | null
}

export interface LiveBoard {
  readonly rows: readonly LiveRow[]
  /** Of the rows; null if none was asked for. `endsMs`: Unix milliseconds; null if it is not opened yet. */
  readonly season: { readonly number: number; readonly endsMs: number | null } | null
}

/** Why there is nothing to read: the game has no such leaderboard, or none of its seasons is open. */
export type LiveBoardRefusal = 'leaderboard_not_found' | 'no_seasons'

/** The best entries at an instant (Unix milliseconds). */
export async function liveBoard(
  deps: QueryDeps,
  { game, leaderboard, top, season }: LiveBoardQuery,
  nowMs: number,
): Promise<LiveBoard | LiveBoardRefusal> {
  const board = await findBoard(deps, leaderboard)
  if (board === null || board.game !== game) return 'leaderboard_not_found'
  if (season === null) return { rows: await topRows(deps, board, top), season: null }
  const current = await currentSeason(deps, board, nowMs)
  if (current === null) return 'no_seasons'
  const { board: own, endsMs } = current
  return { rows: await topRows(deps, own, top), season: { number: own.season, endsMs } }
}

async function topRows(deps: QueryDeps, board: RankedBoard, top: number): Promise<readonly LiveRow[]> {
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
