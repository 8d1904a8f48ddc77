// The answer with a page of scores.

import type { Board } from '../../queries/leaderboard.ts'
import { rankedAnswer } from '../../queries/scores/entry.ts'
import type { ScoresPage } from '../../queries/scores/query.ts'
import type { TextPage } from '../../queries/scores/text-pages.ts'
import { JsonText } from '../route.ts'

export function scoresAnswer(board: Board, pageLimit: number, page: TextPage | ScoresPage): object {
  return 'rows' in page ? rowsAnswer(board, pageLimit, page) : textAnswer(board, pageLimit, page)
}

function rowsAnswer(board: Board, pageLimit: number, page: ScoresPage): object {
  const { rows, count, offset, own } = page
  const ownRow = own && { rank: own.rank, id: own.entry.id }
  return pageAnswer(board, pageLimit, { count, offset, own: ownRow }, rows.map(rankedAnswer))
}

/** The same with the JSON of the rows, which is put in place of an empty list. */
function textAnswer(board: Board, pageLimit: number, page: TextPage): JsonText {
  const empty = JSON.stringify(pageAnswer(board, pageLimit, page, []))
  return new JsonText(empty.replace('"scores":[]', () => `"scores":${page.scores}`))
}

function pageAnswer(
  board: Board,
  pageLimit: number,
  { count, offset, own }: Omit<TextPage, 'scores'>,
  scores: readonly object[],
) {
  const next = offset + pageLimit
  return {
    leaderboard: board.id,
    count,
    offset,
    limit: pageLimit,
    next_offset: next < count ? next : null,
    scores,
    ...(own === undefined ? {} : { player_rank: own?.rank ?? null, player_score: own?.id ?? null }),
  }
}
