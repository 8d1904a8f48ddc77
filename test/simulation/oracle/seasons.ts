// Compares the seasons of a leaderboard, as queries answer them, with the model: the rows of each with both ranks, also
// of the one that is not opened yet, and the list.

import { differencesOf } from '../../../queries/closed-season/differences.ts'
import { finalRanks } from '../../../queries/closed-season/final-ranks.ts'
import type { QueryDeps } from '../../../queries/deps.ts'
import type { Board } from '../../../queries/leaderboard.ts'
import { BoardReader } from '../../../queries/scores/board-reader.ts'
import { listRows } from '../../../queries/scores/list.ts'
import { listSeasons, readSeasons, type SeasonBoard, seasonBoard, seasonsOfBoard } from '../../../queries/seasons.ts'
import { PLAIN } from '../callers/caller.ts'
import type { Model } from '../model/model.ts'
import { modelRows, shownRow } from './page-rows.ts'
import { same } from './same.ts'

const ALL = 10_000

/** One line for each difference. */
export async function seasonDifferences(queries: QueryDeps, board: Board, model: Model): Promise<string[]> {
  const due = model.seasons.get(board.id)
  const last = due?.last ?? 0
  const boards = await seasonBoards(queries, board, last)
  const { rows: listed } = await listSeasons(queries, board, { limit: ALL, offset: 0 })
  if (due === undefined || last === 0 || boards.length === 0) {
    const isRight = last === 0 && boards.length === 0 && listed.length === 0
    return isRight ? [] : [`${board.id} has ${listed.length} seasons and should have ${last}`]
  }
  const found: string[] = []
  const expect = (what: string, is: unknown, expected: unknown) => {
    if (!same(is, expected)) found.push(`${what} is ${JSON.stringify(is)} and should be ${JSON.stringify(expected)}`)
  }
  const dueList: object[] = []
  for (const own of boards) {
    const { season } = own
    const reader = new BoardReader(queries, own)
    const { rows } = await listRows(reader, { ...PLAIN, limit: ALL })
    const ranking = { deps: queries, board: board.id, season, key: reader.key }
    const finals = own.isClosed ? await finalRanks(ranking, rows, await differencesOf(ranking)) : []
    const shown = rows.map((row, i) => ({ ...shownRow(row), finalRank: finals[i] ?? null }))
    const dueRows = due.rows(season)
    const entries = modelRows(
      model,
      dueRows.map(({ entry }) => entry),
    )
    expect(
      `season ${season} of ${board.id}`,
      shown,
      entries.map((row, i) => ({ ...row, finalRank: dueRows[i]?.finalRank })),
    )
    const players = new Set(dueRows.map(({ entry }) => entry.player)).size
    const interval = due.intervals[season - 1]
    if (interval !== undefined) dueList.unshift({ season, ...interval, players, entries: dueRows.length })
  }
  const list = listed.map((row) => {
    const { season, starts, ends, players, entries } = row as Record<string, unknown>
    return { season, starts, ends, players, entries }
  })
  expect(`the list of seasons of ${board.id}`, list, dueList)
  return found
}

/** The seasons 1 to `last` and the one after it, as they are read; none if the leaderboard never had one. */
export async function seasonBoards(queries: QueryDeps, board: Board, last: number): Promise<SeasonBoard[]> {
  const head = await seasonsOfBoard(queries, board.id)
  if (head === null) return []
  const numbers = Array.from({ length: last + 1 }, (_, at) => at + 1)
  return readSeasons(queries, board.id, head, (seasons) => numbers.map((season) => seasonBoard(board, seasons, season)))
}
