// The entries of one player on all leaderboards of their game, with their ranks: in the order of the leaderboards' ids,
// and of each leaderboard best first.

import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { Page, Paging, QueryDeps } from '../deps.ts'
import { documentPages } from '../document-pages.ts'
import { type Board, findBoard } from '../leaderboard.ts'
import type { Heavy } from '../work-queue.ts'
import { agreed, withRanks } from './board.ts'
import { BoardReader } from './board-reader.ts'
import { asEntry, type Entry, isShown, type Ranked, rankedAnswer } from './entry.ts'
import { ranksByDocuments } from './plain.ts'

/**
 * Entries that are shown, on leaderboards that are not archived. Reads all entries of the player to count them, and
 * then those of the page. Holds one page, and a count for each leaderboard. Throws 503 `reads_busy`.
 */
export function entriesOfPlayer(
  deps: QueryDeps,
  player: { readonly id: string },
  paging: Paging,
  heavy: Heavy,
): Promise<Page<object>> {
  return heavy(async (slices) => {
    const counts = await countsByBoard(deps, player.id, slices)
    const rows: object[] = []
    for (const { board, skip, limit } of rangesOf(counts, paging)) {
      const reader = new BoardReader(deps, board)
      const read = () => entriesOnBoard(reader, player.id, { skip, limit }, slices)
      const ranked = await agreed(
        async () => withRanks(reader, await read()),
        async () => ranksByDocuments(reader, await read()),
      )
      rows.push(...ranked.map((one) => answer(board, one)))
      await slices.yieldIfDue()
    }
    return { rows, count: counts.reduce((sum, { count }) => sum + count, 0) }
  })
}

interface BoardCount {
  readonly board: Board
  /** The player's entries that are shown. */
  readonly count: number
}

/** In the order of the leaderboards' ids: the stores have different orders. */
async function countsByBoard(deps: QueryDeps, player: string, slices: TimeSlices): Promise<BoardCount[]> {
  const counts = new Map<string, BoardCount>()
  for await (const page of entriesOnBoards(deps, player, slices)) {
    for (const { board, isShown } of page) {
      if (isShown) counts.set(board.id, { board, count: (counts.get(board.id)?.count ?? 0) + 1 })
    }
  }
  return [...counts.values()].sort((a, b) => (a.board.id < b.board.id ? -1 : 1))
}

/** Which of the player's entries on each leaderboard the page has. */
function rangesOf(counts: readonly BoardCount[], { limit, offset }: Paging) {
  let before = 0
  return counts
    .map(({ board, count }) => {
      const skip = Math.max(offset - before, 0)
      const end = Math.min(offset + limit - before, count)
      before += count
      return { board, skip, limit: end - skip }
    })
    .filter((range) => range.limit > 0)
}

/** Skips page by page: skipping by the query would read all skipped rows in one step. */
async function entriesOnBoard(
  { deps, key }: BoardReader,
  player: string,
  { skip, limit }: { readonly skip: number; readonly limit: number },
  slices: TimeSlices,
): Promise<Entry[]> {
  const find = { view: 'entries', collection: 'entries', index: 'player', equal: [player, key], rest: ['ofPlayer'] }
  const entries: Entry[] = []
  let before = 0
  for await (const page of documentPages(deps, find, () => slices.yieldIfDue())) {
    entries.push(...page.slice(Math.max(skip - before, 0), Math.max(skip + limit - before, 0)).map(asEntry))
    before += page.length
    if (before >= skip + limit) break
  }
  return entries
}

function answer(board: Board, ranked: Ranked) {
  return { ...rankedAnswer(ranked), leaderboard: board.id, leaderboard_name: board.state.name }
}

// The entries of one player on all leaderboards that are not archived, as far as they were made under the rules in
// force.

interface EntryOnBoard {
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
      if (document.body.season !== undefined) continue
      const entry = asEntry(document)
      const known = boards.get(entry.board)
      const board = known === undefined ? await findBoard(deps, entry.board) : known
      boards.set(entry.board, board)
      if (board?.generation === entry.generation) page.push({ board, entry, isShown: isShown(document) })
    }
    yield page
  }
}
