// Calls about leaderboards and scores, for game clients and servers.

import { type Calls, pathTo } from './caller.ts'
import type {
  AsOf,
  JsonValue,
  Leaderboard,
  Movement,
  NewScore,
  Score,
  ScoresPage,
  ScoresQuery,
  Season,
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
  /** Its name, rules and number of entries, now or at a past instant (`as_of`). */
  leaderboard(leaderboard: string, query?: AsOf): Promise<Leaderboard>
  /**
   * A page of entries with their ranks, best first; `query` moves, narrows and dates it. `Extra`: the type of
   * `extra_data`, such as `scores<Run>('weekly')`. A loop over pages declares `const page: ScoresPage<Run>`.
   */
  scores<Extra = JsonValue>(leaderboard: string, query?: ScoresQuery): Promise<ScoresPage<Extra>>
  /** Submits for the signed-in player, or for `player` if the key has `submit_for`. */
  submit<Extra = JsonValue>(
    leaderboard: string,
    score: NewScore<Extra>,
    attempt?: Attempt,
  ): Promise<SubmittedScore<Extra>>
  /** One entry by its id, without a rank, now or at a past instant. */
  score<Extra = JsonValue>(id: string, query?: AsOf): Promise<Score<Extra>>
  /** A player's rank and score over time, at most `points` instants (1 to 1,000, default 100). */
  movement(leaderboard: string, player: string, points?: number): Promise<Movement>
  /** The seasons of a leaderboard, newest first. */
  seasons(leaderboard: string, paging?: Paging): Promise<Page<'seasons', Season>>
  /** Needs a server key. */
  deleteScore(id: string): Promise<{ readonly deleted: string }>
}

/** The calls, sent by `call`. */
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
    seasons: (leaderboard, paging = {}) => call('GET', pathTo(['lb', leaderboard, 'seasons'], { ...paging })),
    deleteScore: (id) => call('DELETE', pathTo(['score', id])),
  }
}
