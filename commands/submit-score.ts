// Submitting a score, from the checks of the player to the rank that is answered: `submitScore` has the steps in order,
// which submit-many.ts takes for many at once. The result is computed from the folded stream, so that a repeated call
// gets the first answer.

import { type Rules, sameRules } from '../domain/board-rules.ts'
import { Refusal } from '../domain/decider.ts'
import { beats, isCounted } from '../domain/entry.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import {
  detailsOf,
  type RecordedSubmission,
  type ScoreContent,
  type ScoreSubmittedData,
  submissionOf,
} from '../domain/score.ts'
import { submitScore as decideSubmission, type Standing, standing } from '../domain/standing.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { type Board, findBoard } from '../queries/leaderboard.ts'
import { findPlayer } from '../queries/player.ts'
import { type AnsweredEntry, answeredEntry } from '../queries/scores/entry.ts'
import { rankOf } from '../queries/scores/one.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import type { Freshness } from '../stores/contract/views.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { BEHIND_AFTER_MS, type CommandContext, type CommitPosition, type WaitForProjection } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { fold, unfolded } from './fold.ts'
import { aboutOf, standingOf, type Target, targetOf } from './score-target.ts'
import { readRest, type SubmissionRest } from './submission-texts.ts'

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

/** The player's entry after a submission. */
export interface SubmittedEntry extends Omit<Submitted, 'revision'> {
  /** What answers show of it. */
  readonly entry: AnsweredEntry
  /** Null only while no store can answer the rank, or if the player was banned or deleted meanwhile. */
  readonly rank: number | null
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

/** A submission whose player was checked. */
export interface PreparedSubmission {
  readonly board: Board
  readonly target: Target
  readonly content: ScoreContent
  /** The player's present name. */
  readonly name: string | null
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

/** A recorded submission, with the entry that its answer shows. */
export interface JudgedSubmission extends Omit<SubmittedEntry, 'rank'> {
  /** The board with the rules under which it was judged. */
  readonly under: Board
  readonly freshness: Freshness
}

/** `isVisible`: whether the views show the submission. */
export async function judgeSubmission(
  deps: SubmitDeps,
  { board, target, name }: PreparedSubmission,
  recorded: Submitted,
  isVisible: boolean,
): Promise<JudgedSubmission> {
  const { under, judged } = await judgedUnder(deps, board, target, recorded, isVisible)
  const { shown, improved, submitted } = judged
  const { submission, details, added } = shown
  const frame = { id: shown.entry, player: target.player, added, updated: submission.time }
  const entry = answeredEntry(frame, submission, details, name)
  const { written, replayed } = recorded
  const freshness = freshnessAfter(recorded, isVisible)
  return { shown, entry, improved, submitted, written, replayed, under, freshness }
}

/** The present rank of the entry that a judged submission shows; null as in `SubmittedEntry`. */
export async function rankOfJudged(
  queries: QueryDeps,
  { under, entry, shown, freshness }: JudgedSubmission,
): Promise<number | null> {
  const [ranked, isOut] = await Promise.all([
    rankOf(queries, under, entry, { id: shown.submission.id, position: shown.position }),
    isHidden(queries, entry.player, freshness),
  ])
  return isOut ? null : ranked
}

/** What the player's entry shows after this submission. */
export interface ShownEntry extends SubmissionRest {
  /** On a board of totals, with the sums in place of its values. */
  readonly submission: RecordedSubmission
  /** The entry's id: on a unique board the id of the first submission, else of the best one. */
  readonly entry: string
  readonly added: string
}

export interface Submitted {
  readonly shown: ShownEntry
  /** Whether the entry ranks better than before, without regard to when; true if it is new. */
  readonly improved: boolean
  /** Id of the entry that this call created; null if it created none. */
  readonly submitted: string | null
  /** The submission's revision in its stream. */
  readonly revision: number
  readonly written: CommitPosition | null
  readonly replayed: boolean
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
  const about = aboutOf(target)
  const { rules, since } = target
  // The clock of the node that created the board may be a little ahead.
  const following = { ...context, notBefore: since }
  const handled = await deps.handler.handle(standingOf(target), about, following, decideSubmission(rules, data))
  const { events, written, replayed } = handled
  const [own] = events
  if (own === undefined) throw new Error('a recorded submission has no event')
  const { revision } = own
  // Of several submissions in one append, only the last one's position is known. Nothing else of the board is between
  // them, so it decides a rank on a unique board alike: the player's own entry is not counted there.
  const position = handled.position ?? (rules.unique ? (handled.current?.at.position ?? null) : null)
  const { before, after } = handled
  const isLater = handled.position === null
  // A repeated call may be ranked on a board that does not show a change to unique yet.
  const exactly = replayed || !rules.unique
  const underOwn = () => judge(deps, about.stream, rules, { before, after, position, isLater, exactly }, data, revision)
  const repeated =
    replayed && written !== null ? await judgeAtPosition(deps, target, written.position, revision, underOwn) : null
  const judged = repeated ?? (await underOwn())
  if (judged === null) throw new Error('a recorded submission has no standing')
  const { shown, improved, submitted } = judged
  return { shown, improved, submitted, revision, written, replayed }
}

/**
 * The result of a submission under the rules in force at its position in the log. They may differ from the rules it was
 * submitted under, if this node did not know of a change yet. If the player has no entry under them, earlier rules
 * decide.
 */
export async function underRulesInForce(
  deps: JudgeDeps,
  target: Target,
  recorded: Submitted,
): Promise<Submitted & { readonly rules: Rules }> {
  const { written, revision } = recorded
  const underOwn = async () => recorded
  const judged = written === null ? null : await judgeAtPosition(deps, target, written.position, revision, underOwn)
  const { shown, improved, submitted, rules } = judged ?? { ...recorded, rules: target.rules }
  return { ...recorded, shown, improved, submitted, rules }
}

type JudgeDeps = Pick<CommandDeps, 'log' | 'submissionTexts'>

type Judged = Pick<Submitted, 'shown' | 'improved' | 'submitted'>

/** The result of a recorded submission under given rules; null if the player has no entry then. */
async function judgeUnder(deps: JudgeDeps, stream: string, rules: Rules, revision: number): Promise<Judged | null> {
  const aggregate = standing(rules, 'all')
  let before = unfolded(aggregate)
  for await (const event of eventsFrom(deps.log, stream)) {
    const after = fold(aggregate, before, event)
    if (event.revision === revision) {
      const own = unsafeCast<ScoreSubmittedData>(event.data)
      const { position } = event
      const placed = { before: before.state, after: after.state, position, isLater: false, exactly: true }
      return judge(deps, stream, rules, placed, own, revision)
    }
    before = after
  }
  return null
}

/** A submission in its stream. */
interface InStream {
  readonly before: Standing
  readonly after: Standing
  /** Null if it must be read. */
  readonly position: Position | null
  /** As in `SubmissionRest`. */
  readonly isLater: boolean
  /** Whether the shown submission's own position is needed. */
  readonly exactly: boolean
}

async function judge(
  { log, submissionTexts }: JudgeDeps,
  stream: string,
  rules: Rules,
  { before, after, position, isLater, exactly }: InStream,
  own: ScoreSubmittedData,
  revision: number,
): Promise<Judged | null> {
  const { shown, first } = after
  if (shown === null || first === null) return null
  const isShown = shown.revision === revision
  const improved = isShown && (before.shown === null || beats(rules, shown, before.shown))
  const read = () => submissionTexts?.of(stream, shown.revision, exactly) ?? readRest(log, stream, shown.revision)
  const isKnown = isShown && position !== null
  const { details, position: at } = isKnown ? { details: detailsOf(own), position } : await read()
  if (isKnown) submissionTexts?.note(stream, revision, { details, position, ...(isLater ? { isLater } : {}) })
  const [entry, added] = rules.unique ? [first.id, first.time] : [shown.id, shown.time]
  const made = before.shown === null ? entry : null
  return {
    shown: { submission: shown, details, position: at, entry, added },
    improved,
    submitted: rules.unique ? made : isCounted(rules, own) ? own.id : null,
  }
}

/**
 * The result under the rules in force at a position of the log; the target's own object if they are equal. Null if the
 * player has no entry under any. `underOwn`: the result under the target's rules, which needs no read of the stream.
 */
async function judgeAtPosition(
  deps: JudgeDeps,
  target: Target,
  position: string,
  revision: number,
  underOwn: () => Promise<Judged | null>,
): Promise<(Judged & { readonly rules: Rules }) | null> {
  const then: Rules[] = []
  for await (const event of eventsFrom(deps.log, boardStream(target.board))) {
    if (event.position > position) break
    if (event.type === 'LeaderboardCreated' || event.type === 'LeaderboardRulesChanged') {
      then.unshift(unsafeCast(event.data.rules))
    }
  }
  for (const rules of then) {
    const isOwn = sameRules(rules, target.rules)
    const judged = await (isOwn ? underOwn() : judgeUnder(deps, aboutOf(target).stream, rules, revision))
    if (judged !== null) return { ...judged, rules: isOwn ? target.rules : rules }
  }
  return null
}

/**
 * The result under the rules in force at the submission's position in the log, with their generation of entries. Views
 * that do not show the submission may not show a change of rules before it either: the log has it.
 */
async function judgedUnder(
  { commands, queries }: SubmitDeps,
  board: Board,
  target: Target,
  recorded: Submitted,
  isVisible: boolean,
): Promise<{ readonly under: Board; readonly judged: Judged }> {
  if (recorded.replayed) return { under: board, judged: recorded }
  const now = (await findBoard(queries, board.id, true, freshnessAfter(recorded, isVisible))) ?? board
  if (isVisible && now.generation === board.generation) return { under: board, judged: recorded }
  const judged = await underRulesInForce(commands, target, recorded)
  return { under: judged.rules === target.rules ? board : now, judged }
}

/** Which state shows the submission, after the wait for the views. */
const freshnessAfter = ({ replayed }: Submitted, isVisible: boolean): Freshness =>
  isVisible && !replayed ? 'waited' : 'now'

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

/** Whether the player was banned or deleted while the submission was recorded: it stays recorded but has no rank. */
async function isHidden(queries: QueryDeps, id: string, freshness: Freshness): Promise<boolean> {
  try {
    const found = await findPlayer(queries, id, freshness)
    return found === null || found.state.banned !== null
  } catch (error) {
    if (error instanceof StoreUnavailable) return true
    throw error
  }
}
