// The entries of one player on all leaderboards of their game, with their ranks: leaderboard by leaderboard, best first.

import type { TimeSlices } from '../../scheduling/time-slices.ts'
import type { Page, Paging, QueryDeps } from '../deps.ts'
import { type Board, findBoard } from '../leaderboard.ts'
import { documentPages } from '../player-record/pages.ts'
import type { Heavy } from '../work-queue.ts'
import { agreed, refuseWhereLost, withRanks } from './board.ts'
import { BoardReader } from './board-reader.ts'
import { asEntry, type Entry, isShown, type Ranked, rankedAnswer } from './entry.ts'
import { ranksByDocuments } from './plain.ts'

/**
 * Entries that are shown, on leaderboards that are not archived. O(entries of the player), which holds one page of them. Throws 503
 * `reads_busy`.
 */
export function entriesOfPlayer(
  deps: QueryDeps,
  player: { readonly id: string },
  paging: Paging,
  heavy: Heavy,
): Promise<Page<object>> {
  return heavy(async (slices) => {
    const { found, count } = await select(deps, player.id, paging, slices)
    const rows: object[] = []
    for (const { board, entries } of found) {
      const reader = new BoardReader(deps, board)
      const ranked = await agreed(
        async () => withRanks(reader, entries),
        async () => ranksByDocuments(reader, entries),
      ).catch(refuseWhereLost)
      rows.push(...ranked.map((one) => answer(board, one)))
      await slices.yieldIfDue()
    }
    return { rows, count }
  })
}

interface OnBoard {
  readonly board: Board
  readonly entries: Entry[]
}

/** The entries of the page by leaderboard, and the number of all. */
async function select(deps: QueryDeps, player: string, { limit, offset }: Paging, slices: TimeSlices) {
  const boards = new Map<string, Board | null>()
  const found: OnBoard[] = []
  let count = 0
  const rest = ['ranking', 'ofPlayer']
  const find = { view: 'entries', collection: 'entries', index: 'player', equal: [player], rest }
  for await (const page of documentPages(deps, find, () => slices.yieldIfDue())) {
    for (const document of page) {
      const entry = asEntry(document)
      if (!isShown(document)) continue
      if (!boards.has(entry.board)) boards.set(entry.board, await findBoard(deps, entry.board))
      const board = boards.get(entry.board) ?? null
      if (board === null || board.generation !== entry.generation) continue
      if (count >= offset && count < offset + limit) add(found, board, entry)
      count++
    }
  }
  return { found, count }
}

function add(found: OnBoard[], board: Board, entry: Entry): void {
  const last = found.at(-1)
  if (last?.board === board) last.entries.push(entry)
  else found.push({ board, entries: [entry] })
}

function answer(board: Board, ranked: Ranked) {
  return { ...rankedAnswer(ranked), leaderboard: board.id, leaderboard_name: board.state.name }
}
