// Leaderboards and scores, as a game's client and its server both call them.

import { type Caller, pathTo } from './caller.ts'
import type { Leaderboard, NewScore, Score, ScoresPage, ScoresQuery, SubmittedScore } from './score-shapes.ts'

export interface ScoreCalls {
  leaderboard(id: string): Promise<Leaderboard>
  scores(leaderboard: string, query?: ScoresQuery): Promise<ScoresPage>
  /** For the signed-in player, or for `player` where the key holds `submit_for`. */
  submit(leaderboard: string, score: NewScore): Promise<SubmittedScore>
  score(id: string): Promise<Score>
  /** With a server key only. */
  deleteScore(id: string): Promise<{ readonly deleted: string }>
}

export function scoreCalls({ call }: Caller): ScoreCalls {
  return {
    leaderboard: (id) => call('GET', pathTo(['lb', id])),
    scores: (leaderboard, query = {}) => call('GET', pathTo(['lb', leaderboard, 'score'], { ...query })),
    submit: (leaderboard, score) => call('POST', pathTo(['lb', leaderboard, 'score']), score),
    score: (id) => call('GET', pathTo(['score', id])),
    deleteScore: (id) => call('DELETE', pathTo(['score', id])),
  }
}
