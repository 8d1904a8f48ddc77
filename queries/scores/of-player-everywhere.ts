// The entries of one player on all leaderboards of their game, with their ranks: by the id of the leaderboard, then best first.

import type { TimeSlices } from '../../scheduling/time-slices.ts'
import type { Page, Paging, QueryDeps } from '../deps.ts'
import { type Board, findBoard } from '../leaderboard.ts'
import { documentPages } from '../player-record/pages.ts'
import type { Heavy } from '../work-queue.ts'
import { agreed, refuseWhereLost, withRanks } from './board.ts'
import { BoardReader } from './board-reader.ts'
import { asEntry, isShown, type Ranked, rankedAnswer } from './entry.ts'
import { ranksByDocuments } from './plain.ts'

/**
 * Entries that are shown, on leaderboards that are not archived, in the order of the leaderboards' ids. O(entries of the player), which
 * holds one page of them. Throws 503 `reads_busy`.
 */
export function entriesOfPlayer(
  deps: QueryDeps,
  player: { readonly id: string },
  paging: Paging,
  heavy: Heavy,
): Promise<Page<object>> {
  return heavy(async (slices) => {
    const counted = await countByBoard(deps, player.id, slices)
    const rows: object[] = []
    for (const { board, skip, limit } of onPage(counted, paging)) {
      const reader = new BoardReader(deps, board)
      const entries = await reader.find({ index: 'player', equal: [player.id, reader.key], skip, limit })
      const ranked = await agreed(
        async () => withRanks(reader, entries),
        async () => ranksByDocuments(reader, entries),
      ).catch(refuseWhereLost)
      rows.push(...ranked.map((one) => answer(board, one)))
      await slices.yieldIfDue()
    }
    return { rows, count: counted.reduce((sum, { count }) => sum + count, 0) }
  })
}

interface OnBoard {
  readonly board: Board
  /** The player's entries that are shown. */
  count: number
}

/** In the order of the leaderboards' ids: that of the index differs between stores. */
async function countByBoard(deps: QueryDeps, player: string, slices: TimeSlices): Promise<OnBoard[]> {
  const boards = new Map<string, OnBoard | null>()
  const rest = ['ranking', 'ofPlayer']
  const find = { view: 'entries', collection: 'entries', index: 'player', equal: [player], rest }
  for await (const page of documentPages(deps, find, () => slices.yieldIfDue())) {
    for (const document of page.filter(isShown)) {
      const { board: id, generation } = asEntry(document)
      if (!boards.has(id)) {
        const board = await findBoard(deps, id)
        boards.set(id, board && { board, count: 0 })
      }
      const counted = boards.get(id)
      if (counted?.board.generation === generation) counted.count++
    }
  }
  return [...boards.values()].filter((one) => one !== null).sort((a, b) => (a.board.id < b.board.id ? -1 : 1))
}

/** Which of the player's entries on each leaderboard the page has. */
function onPage(counted: readonly OnBoard[], { limit, offset }: Paging) {
  let before = 0
  return counted
    .map(({ board, count }) => {
      const skip = Math.max(offset - before, 0)
      const end = Math.min(offset + limit - before, count)
      before += count
      return { board, skip, limit: end - skip }
    })
    .filter((part) => part.limit > 0)
}

function answer(board: Board, ranked: Ranked) {
  return { ...rankedAnswer(ranked), leaderboard: board.id, leaderboard_name: board.state.name }
}
