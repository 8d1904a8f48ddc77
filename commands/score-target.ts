// The target of a submission or deletion: one player on one board.

import type { Rules } from '../domain/board-rules.ts'
import { scoreStream } from '../domain/score.ts'
import { standing } from '../domain/standing.ts'
import type { Board } from '../queries/leaderboard.ts'

/** A player on a board, with the rules that the caller knows. */
export interface Target {
  readonly game: string
  readonly board: string
  readonly rules: Rules
  /** When the board was created (ISO 8601, UTC). */
  readonly since: string
  /** The board's generation under these rules. */
  readonly generation: number
  readonly player: string
}

export const targetOf = ({ game, id, state, generation }: Board, player: string): Target => ({
  game,
  board: id,
  rules: state.rules,
  since: state.created,
  generation,
  player,
})

/** The stream of the target's submissions, and what the metadata of its events names. */
export const aboutOf = ({ game, board, player }: Target) => ({
  stream: scoreStream(board, player),
  game,
  board,
  player,
})

/** Once rules have changed, deletions under earlier rules matter too, so all submissions are held. */
export const standingOf = ({ rules, generation }: Target) => standing(rules, generation > 1 ? 'all' : 'first and shown')
