// Submitting a score, from the checks of the player to the rank that is answered: `submitScore` has the steps in order,
// which submit-many.ts takes for many at once.

import { Refusal } from '../domain/decider.ts'
import type { Player } from '../domain/player.ts'
import { type ScoreContent, submissionOf } from '../domain/score.ts'
import { submitScore as decideSubmission } from '../domain/standing.ts'
import type { Folded, QueryDeps } from '../queries/deps.ts'
import { type Board, findBoard } from '../queries/leaderboard.ts'
import { findPlayer } from '../queries/player.ts'
import { BEHIND_AFTER_MS, type CommandContext, type WaitForProjection } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import {
  type CheckedSubmission,
  freshnessAfter,
  type JudgedSubmission,
  judgeRecorded,
  judgeSubmission,
  rankOfJudged,
  type Submitted,
  type SubmittedEntry,
} from './judge-submission.ts'
import { aboutOf, standingOf, type Target, targetOf } from './score-target.ts'
import { readingImprovements } from './season-improvements.ts'
import { seasonOfSubmission } from './season-of-submission.ts'

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
  const { repeated } = context
  const name = presentName(await findPlayer(deps.queries, player), board.game, repeated)
  if (checkMayPlay !== null && !repeated) await checkMayPlay()
  const prepared = preparedSubmission(board, player, name, content())
  const recorded = await recordSubmission(deps.commands, prepared.target, prepared.content, context)
  // After this time the recorded submission is answered anyway.
  const isVisible = await deps.waitForProjection(recorded.written, BEHIND_AFTER_MS)
  const { commands } = deps
  const freshness = freshnessAfter(recorded.replayed, isVisible)
  const present = recorded.replayed ? null : await findBoard(deps.queries, board.id, true, freshness)
  const judged = await judgeSubmission(commands, prepared, recorded, { present, isVisible })
  const rank = await rankOfJudged(deps.queries, judged, freshness)
  const at = { board: present ?? board, target: prepared.target, recorded, isVisible, freshness }
  const isImproved = readingImprovements(commands.log)
  return answered(judged, rank, await seasonOfSubmission({ queries: deps.queries, commands, isImproved }, at))
}

/** A submission that can be recorded. */
export interface PreparedSubmission extends CheckedSubmission {
  readonly content: ScoreContent
}

export const preparedSubmission = (
  board: Board,
  player: string,
  name: string | null,
  content: ScoreContent,
): PreparedSubmission => ({ board, target: targetOf(board, player), content, name })

/**
 * Appends the submission and judges it. 422 `score_below_minimum`, `score_above_maximum`, `total_out_of_range`.
 */
export async function recordSubmission(
  deps: CommandDeps,
  target: Target,
  content: ScoreContent,
  context: CommandContext,
): Promise<Submitted> {
  const { aggregate, about, context: following, decision, data } = submissionCommand(target, content, context)
  const handled = await deps.handler.handle(aggregate, about, following, decision)
  return judgeRecorded(deps, target, handled, data)
}

/** The command that records a submission, and the data of its event. */
export function submissionCommand(target: Target, content: ScoreContent, context: CommandContext) {
  const data = submissionOf(context.generator.id('score'), content)
  const { rules, since } = target
  return {
    aggregate: standingOf(target),
    about: aboutOf(target),
    // The clock of the node that created the board may be a little ahead.
    context: { ...context, notBefore: since },
    decision: decideSubmission(rules, data),
    data,
  }
}

/**
 * The present name of a player of the game. Null also for one who was deleted since the call was recorded. Throws 422
 * `unknown_player`.
 */
export function presentName(found: Folded<Player> | null, game: string, repeated: boolean): string | null {
  if (found !== null && found.game === game) return found.state.name
  if (repeated) return null
  throw unknownPlayer()
}

export function unknownPlayer(): Refusal {
  return new Refusal('unprocessable', 'unknown_player', 'There is no such player in this game.')
}

/** What is answered of a judged submission. */
export function answered(
  judged: JudgedSubmission,
  rank: number | null,
  season: SubmittedEntry['season'],
): SubmittedEntry {
  const { shown, entry, improved, submitted, written, replayed } = judged
  return { shown, entry, rank, improved, submitted, season, written, replayed }
}
