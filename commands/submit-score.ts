// Submitting a score, from the checks of the player to the rank that is answered: `submitScore` has the steps in order,
// which submit-many.ts takes for many at once.

import { Refusal } from '../domain/decider.ts'
import { type ScoreContent, submissionOf } from '../domain/score.ts'
import { submitScore as decideSubmission } from '../domain/standing.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { Board } from '../queries/leaderboard.ts'
import { findPlayer } from '../queries/player.ts'
import { BEHIND_AFTER_MS, type CommandContext, type WaitForProjection } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import {
  type CheckedSubmission,
  judgeRecorded,
  judgeSubmission,
  rankOfJudged,
  type Submitted,
  type SubmittedEntry,
} from './judge-submission.ts'
import { aboutOf, standingOf, type Target, targetOf } from './score-target.ts'

/** One submission to a board of the caller's game. */
export interface NewSubmission {
  readonly board: Board
  readonly player: string
  /** Throws Refusal if the player may not play; null: that is known. Not called for a repeated call. */
  readonly checkMayPlay: (() => Promise<void>) | null
  /** Called after the checks of the player. May throw Refusal. */
  content(): ScoreContent
}

export interface SubmitDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  readonly waitForProjection: WaitForProjection
}

/**
 * Records a submission, and returns the player's entry after it with its rank; where each submission is an entry, their
 * best one. 422 `unknown_player`, `score_below_minimum`, `score_above_maximum`, `total_out_of_range`, and what
 * `checkMayPlay` and `content` throw.
 */
export async function submitScore(
  deps: SubmitDeps,
  { board, player, checkMayPlay, content }: NewSubmission,
  context: CommandContext,
): Promise<SubmittedEntry> {
  const prepared = await prepareSubmission(deps.queries, { board, player, checkMayPlay, content }, context)
  const recorded = await recordSubmission(deps.commands, prepared.target, prepared.content, context)
  // After this time the recorded submission is answered anyway.
  const isVisible = await deps.waitForProjection(recorded.written, BEHIND_AFTER_MS)
  const judged = await judgeSubmission(deps, prepared, recorded, isVisible)
  const rank = await rankOfJudged(deps.queries, judged)
  return { ...judged, rank }
}

/** A submission that can be recorded. */
export interface PreparedSubmission extends CheckedSubmission {
  readonly content: ScoreContent
}

/** 422 `unknown_player`, and what `checkMayPlay` and `content` throw. */
export async function prepareSubmission(
  queries: QueryDeps,
  { board, player, checkMayPlay, content }: NewSubmission,
  context: Pick<CommandContext, 'repeated'>,
): Promise<PreparedSubmission> {
  const name = await presentName(queries, board.game, player, context.repeated)
  if (checkMayPlay !== null && !context.repeated) await checkMayPlay()
  return { board, target: targetOf(board, player), content: content(), name }
}

/**
 * Appends the submission and judges it. 422 `score_below_minimum`, `score_above_maximum`, `total_out_of_range`.
 */
export async function recordSubmission(
  deps: CommandDeps,
  target: Target,
  content: ScoreContent,
  context: CommandContext,
): Promise<Submitted> {
  const data = submissionOf(context.generator.id('score'), content)
  const { rules, since } = target
  // The clock of the node that created the board may be a little ahead.
  const following = { ...context, notBefore: since }
  const handled = await deps.handler.handle(
    standingOf(target),
    aboutOf(target),
    following,
    decideSubmission(rules, data),
  )
  return judgeRecorded(deps, target, handled, data)
}

/** Null also for a player who was deleted since the call was recorded. 422 `unknown_player`. */
async function presentName(queries: QueryDeps, game: string, id: string, repeated: boolean): Promise<string | null> {
  const found = await findPlayer(queries, id)
  if (found !== null && found.game === game) return found.state.name
  if (repeated) return null
  throw unknownPlayer()
}

export function unknownPlayer(): Refusal {
  return new Refusal('unprocessable', 'unknown_player', 'There is no such player in this game.')
}
