// The entries of one player on all leaderboards that are not archived, as far as they were made under the rules in
// force.

import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { QueryDeps } from '../deps.ts'
import { type Board, findBoard } from '../leaderboard.ts'
import { documentPages } from '../player-record/pages.ts'
import { asEntry, type Entry, isShown } from './entry.ts'

export interface EntryOnBoard {
  readonly board: Board
  readonly entry: Entry
  /** False while the player is banned. */
  readonly isShown: boolean
}

/**
 * In pages, leaderboard by leaderboard in any order, the shown ones of each leaderboard best first. O(entries of the
 * player).
 */
export async function* entriesOnBoards(
  deps: QueryDeps,
  player: string,
  slices: TimeSlices,
): AsyncGenerator<readonly EntryOnBoard[]> {
  const boards = new Map<string, Board | null>()
  const rest = ['ranking', 'ofPlayer']
  const find = { view: 'entries', collection: 'entries', index: 'player', equal: [player], rest }
  for await (const documents of documentPages(deps, find, () => slices.yieldIfDue())) {
    const page: EntryOnBoard[] = []
    for (const document of documents) {
      const entry = asEntry(document)
      const known = boards.get(entry.board)
      const board = known === undefined ? await findBoard(deps, entry.board) : known
      boards.set(entry.board, board)
      if (board?.generation === entry.generation) page.push({ board, entry, isShown: isShown(document) })
    }
    yield page
  }
}
