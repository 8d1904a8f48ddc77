// Leaderboards and scores, as a game's client and its server both call them.

import { type Caller, pathTo } from './caller.ts'
import type {
  AsOf,
  Leaderboard,
  Movement,
  NewScore,
  Score,
  ScoresPage,
  ScoresQuery,
  SubmittedScore,
} from './score-shapes.ts'

export interface ScoreCalls {
  leaderboard(id: string, query?: AsOf): Promise<Leaderboard>
  scores(leaderboard: string, query?: ScoresQuery): Promise<ScoresPage>
  /** For the signed-in player, or for `player` where the key holds `submit_for`. */
  submit(leaderboard: string, score: NewScore): Promise<SubmittedScore>
  score(id: string, query?: AsOf): Promise<Score>
  /** How a player's rank and score moved, in at most `points` (1 to 1,000, default 100) instants. */
  movement(leaderboard: string, player: string, points?: number): Promise<Movement>
  /** With a server key only. */
  deleteScore(id: string): Promise<{ readonly deleted: string }>
}

export function scoreCalls({ call }: Caller): ScoreCalls {
  return {
    leaderboard: (id, query = {}) => call('GET', pathTo(['lb', id], { ...query })),
    scores: (leaderboard, query = {}) => call('GET', pathTo(['lb', leaderboard, 'score'], { ...query })),
    submit: (leaderboard, score) => call('POST', pathTo(['lb', leaderboard, 'score']), score),
    score: (id, query = {}) => call('GET', pathTo(['score', id], { ...query })),
    movement: (leaderboard, player, points) =>
      call('GET', pathTo(['lb', leaderboard, 'history'], { player, ...(points === undefined ? {} : { points }) })),
    deleteScore: (id) => call('DELETE', pathTo(['score', id])),
  }
}
