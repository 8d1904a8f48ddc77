// Finds the place of a player on a leaderboard, by name or id.

import type { Api, RankedScore, ScoresQuery } from '../api.ts'

const ID = /^[a-z2-7]{24}$/
const FOUND_MAX = 20

/** Entries whose player matches, best first; one where a name matches exactly. `query`: the window and the instant. */
export async function entriesOf(
  api: Pick<Api, 'scores'>,
  board: string,
  text: string,
  query: ScoresQuery,
): Promise<readonly RankedScore[]> {
  if (ID.test(text)) {
    const own = await api.scores(board, { ...query, player: text, limit: 1 })
    if (own.scores.length > 0) return own.scores
  }
  const { scores } = await api.scores(board, { ...query, player_name: text, limit: FOUND_MAX })
  const exact = scores.find(({ player_name: name }) => name?.toLowerCase() === text.toLowerCase())
  return exact === undefined ? scores : [exact]
}
