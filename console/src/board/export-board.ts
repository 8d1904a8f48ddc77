// Saves the shown leaderboard as CSV: all rows of the query, read page by page.

import type { Api, ScoresQuery } from '../api.ts'
import { csvLine } from '../csv.ts'
import { texts } from '../texts.ts'

const PAGE = 100

/** The lines of the file. `onRows` is called with the number of rows so far, and of all. Stops when `signal` aborts. */
export async function exportLines(
  api: Pick<Api, 'scores'>,
  board: string,
  query: ScoresQuery,
  progress: { readonly signal: AbortSignal; onRows(done: number, all: number): void },
): Promise<string[]> {
  const lines = [csvLine(texts.board.csv)]
  for (let offset: number | null = 0; offset !== null && !progress.signal.aborted; ) {
    const page = await api.scores(board, { ...query, limit: PAGE, offset })
    for (const row of page.scores) {
      const extra = row.extra_data === null ? null : JSON.stringify(row.extra_data)
      lines.push(
        csvLine([
          row.rank,
          row.player,
          row.player_name,
          row.score,
          row.secondary_score,
          row.added,
          row.updated,
          row.id,
          extra,
        ]),
      )
    }
    offset = page.next_offset
    progress.onRows(lines.length - 1, page.count)
  }
  return lines
}
