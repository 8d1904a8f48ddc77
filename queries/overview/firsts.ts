// The present first of each leaderboard, those that were set last first.

import { hourOf } from '../../domain/activity.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { QueryDeps } from '../deps.ts'
import { type Board, findBoards } from '../leaderboard.ts'
import { BoardReader } from '../scores/board-reader.ts'
import type { Ranked } from '../scores/entry.ts'
import { listRows, UNFILTERED } from '../scores/list.ts'
import { boardsByActivity } from './counts.ts'

/** Leaderboards that are read at once. */
const AT_ONCE = 10

export interface EntryOnBoard extends Ranked {
  readonly board: Board
}

/**
 * At most `limit`. An entry was set no later than the last submission of its leaderboard, so it reads the leaderboards
 * by that, and stops before those whose last submission is older than what it has found. Throws 503
 * `rankings_filling`.
 */
export async function firstsOf(
  deps: QueryDeps,
  game: string,
  limit: number,
  slices: TimeSlices,
): Promise<readonly EntryOnBoard[]> {
  let found: EntryOnBoard[] = []
  for await (const page of boardsByActivity(deps, game, slices)) {
    for (let from = 0; from < page.length; from += AT_ONCE) {
      const some = page.slice(from, from + AT_ONCE)
      const oldest = found[limit - 1]?.entry.updated
      if (oldest !== undefined && (some[0]?.hour ?? 0) < hourOf(oldest)) return found
      const boards = await shownBoards(
        deps,
        some.map(({ id }) => id),
      )
      found.push(...(await Promise.all(boards.map((board) => firstOf(deps, board)))).flat())
      found = found.sort(newestFirst).slice(0, limit)
      await slices.yieldIfDue()
    }
  }
  return found
}

const newestFirst = (a: EntryOnBoard, b: EntryOnBoard): number => {
  if (a.entry.updated !== b.entry.updated) return a.entry.updated > b.entry.updated ? -1 : 1
  return a.board.id < b.board.id ? -1 : 1
}

/** Without archived ones, in the order of `ids`. */
export async function shownBoards(deps: QueryDeps, ids: readonly string[]): Promise<readonly Board[]> {
  const boards = await findBoards(deps, ids)
  return ids.flatMap((id) => boards.get(id) ?? []).filter(({ state }) => !state.archived)
}

const FIRST = { ...UNFILTERED, order: 'best', limit: 1, offset: 0 } as const

async function firstOf(deps: QueryDeps, board: Board): Promise<readonly EntryOnBoard[]> {
  const { rows } = await listRows(new BoardReader(deps, board), FIRST)
  return rows.map((row) => ({ ...row, board }))
}
