// The answer with a page of scores.

import type { Board } from '../../queries/leaderboard.ts'
import { rankedAnswer, rankedText } from '../../queries/scores/entry.ts'
import type { ScoresPage } from '../../queries/scores/query.ts'
import { JsonText } from '../route.ts'

/** The JSON of a page that is read often is put together from the texts of its entries. */
export function scoresAnswer(board: Board, pageLimit: number, page: ScoresPage): object {
  const { rows } = page
  if (rows[0]?.text === undefined) return pageAnswer(board, pageLimit, page, rows.map(rankedAnswer))
  const around = JSON.stringify(pageAnswer(board, pageLimit, page, []))
  return new JsonText(around.replace('"scores":[]', () => `"scores":[${rows.map(rankedText).join()}]`))
}

function pageAnswer(
  board: Board,
  pageLimit: number,
  { count, offset: first, own }: ScoresPage,
  scores: readonly object[],
) {
  const next = first + pageLimit
  return {
    leaderboard: board.id,
    count,
    offset: first,
    limit: pageLimit,
    next_offset: next < count ? next : null,
    scores,
    ...(own === undefined ? {} : { player_rank: own?.rank ?? null, player_score: own?.entry.id ?? null }),
  }
}
