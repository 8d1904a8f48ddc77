// The answer with a page of scores.

import type { Board } from '../../queries/leaderboard.ts'
import { rankedAnswer } from '../../queries/scores/entry.ts'
import type { ScoresPage } from '../../queries/scores/query.ts'
import type { TextPage } from '../../queries/scores/text-pages.ts'
import { JsonText } from '../route.ts'

export function scoresAnswer(board: Board, pageLimit: number, page: ScoresPage): object {
  const { rows, count, offset, own } = page
  const ownRow = own && { rank: own.rank, id: own.entry.id }
  return pageAnswer(board, pageLimit, { count, offset, own: ownRow }, rows.map(rankedAnswer))
}

/** The same from the JSON of the rows. */
export function textAnswer(board: Board, pageLimit: number, page: TextPage): JsonText {
  const open = JSON.stringify(pageAnswer(board, pageLimit, page, []))
  return new JsonText(open.replace('"scores":[]', () => `"scores":${page.scores}`))
}

function pageAnswer(
  board: Board,
  pageLimit: number,
  { count, offset: first, own }: Pick<TextPage, 'count' | 'offset'> & { readonly own?: TextPage['own'] | undefined },
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
    ...(own === undefined ? {} : { player_rank: own?.rank ?? null, player_score: own?.id ?? null }),
  }
}
