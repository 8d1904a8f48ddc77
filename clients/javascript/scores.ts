// Calls about leaderboards and scores, for game clients and servers.

import { type Calls, pathTo } from './caller.ts'
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
import type { Page, Paging } from './shapes.ts'

/** How a submission is sent. */
export interface Attempt {
  /** Default: a random one. A submission with the same key counts once. */
  readonly idempotencyKey?: string
  /** False: sent once, for callers that repeat it themselves. */
  readonly retries?: boolean
}

/** `leaderboard`: its id or its key. */
export interface ScoreCalls {
  /** The leaderboards of a game, in the order of their creation. */
  leaderboards(game: string, paging?: Paging): Promise<Page<'leaderboards', Leaderboard>>
  leaderboard(leaderboard: string, query?: AsOf): Promise<Leaderboard>
  scores(leaderboard: string, query?: ScoresQuery): Promise<ScoresPage>
  /** Submits for the signed-in player, or for `player` if the key has `submit_for`. */
  submit(leaderboard: string, score: NewScore, attempt?: Attempt): Promise<SubmittedScore>
  score(id: string, query?: AsOf): Promise<Score>
  /** A player's rank and score over time, at most `points` instants (1 to 1,000, default 100). */
  movement(leaderboard: string, player: string, points?: number): Promise<Movement>
  /** Needs a server key. */
  deleteScore(id: string): Promise<{ readonly deleted: string }>
}

export function scoreCalls({ call }: Pick<Calls, 'call'>): ScoreCalls {
  return {
    leaderboards: (game, paging = {}) => call('GET', pathTo(['gm', game, 'lb'], { ...paging })),
    leaderboard: (leaderboard, query = {}) => call('GET', pathTo(['lb', leaderboard], { ...query })),
    scores: (leaderboard, query = {}) => call('GET', pathTo(['lb', leaderboard, 'score'], { ...query })),
    submit: (leaderboard, score, { idempotencyKey: key, retries = true } = {}) =>
      call('POST', pathTo(['lb', leaderboard, 'score']), score, { key, single: !retries }),
    score: (id, query = {}) => call('GET', pathTo(['score', id], { ...query })),
    movement: (leaderboard, player, points) =>
      call('GET', pathTo(['lb', leaderboard, 'history'], { player, ...(points === undefined ? {} : { points }) })),
    deleteScore: (id) => call('DELETE', pathTo(['score', id])),
  }
}
