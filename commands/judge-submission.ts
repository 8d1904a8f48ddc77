// What a recorded submission made of its player's entry: judged under the rules in force at its position in the log,
// and ranked as the entry is now. The judgement is computed from the folded stream, so that a repeated call gets the
// first answer.

import { type Rules, sameRules } from '../domain/board-rules.ts'
import { beats, isCounted } from '../domain/entry.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { detailsOf, type RecordedSubmission, type ScoreEvent, type ScoreSubmittedData } from '../domain/score.ts'
import { type Standing, standing } from '../domain/standing.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { Board } from '../queries/leaderboard.ts'
import { findPlayers } from '../queries/player.ts'
import { type AnsweredEntry, answeredEntry } from '../queries/scores/entry.ts'
import { type RankedSubmission, ranksOf } from '../queries/scores/one.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import type { Freshness } from '../stores/contract/views.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import type { Handled } from './command-batch.ts'
import type { CommitPosition } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { fold, unfolded } from './fold.ts'
import { rulesAt } from './rules-at.ts'
import { aboutOf, type Target } from './score-target.ts'
import type { SeasonOfSubmission } from './season-of-submission.ts'
import { readRest, type SubmissionRest } from './submission-texts.ts'

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
  /** The submission's revision in its stream, and its time. */
  readonly revision: number
  readonly time: string
  readonly written: CommitPosition | null
  readonly replayed: boolean
}

/** The player's entry after a submission. */
export interface SubmittedEntry extends Omit<Submitted, 'revision' | 'time'> {
  /** What answers show of it. */
  readonly entry: AnsweredEntry
  /** Null only while no store can answer the rank, or if the player was banned or deleted meanwhile. */
  readonly rank: number | null
  /** The season that it joined; null: none was open. Undefined: the leaderboard never had seasons. */
  readonly season: SeasonOfSubmission | null | undefined
}

/**
 * The result of a recorded submission, under the target's rules or, if the call is repeated, those of its position. A
 * promise only if the log must be read.
 */
export function judgeRecorded(
  deps: JudgeDeps,
  target: Target,
  handled: Handled<Standing, ScoreEvent>,
  data: ScoreSubmittedData,
): Submitted | Promise<Submitted> {
  const { events, written, replayed, before, after } = handled
  const [own] = events
  if (own === undefined) throw new Error('a recorded submission has no event')
  const { revision, time } = own
  const { rules } = target
  // Of several submissions in one append, only the last one's position is known. Nothing else of the board is between
  // them, so it decides a rank on a unique board alike: the player's own entry is not counted there.
  const position = handled.position ?? (rules.unique ? (handled.current?.at.position ?? null) : null)
  const isLater = handled.position === null
  // A repeated call may be ranked on a board that does not show a change to unique yet.
  const exactly = replayed || !rules.unique
  const { stream } = aboutOf(target)
  const underOwn = () => judge(deps, stream, rules, { before, after, position, isLater, exactly }, data, revision)
  const submitted = (judged: Judged | null): Submitted => {
    if (judged === null) throw new Error('a recorded submission has no standing')
    const { shown, improved, submitted } = judged
    return { shown, improved, submitted, revision, time, written, replayed }
  }
  if (replayed && written !== null) {
    const atPosition = judgeAtPosition(deps, target, written.position, revision, underOwn)
    return atPosition.then(async (judged) => submitted(judged ?? (await underOwn())))
  }
  const judged = underOwn()
  return judged instanceof Promise ? judged.then(submitted) : submitted(judged)
}

/** A recorded submission, with the entry that its answer shows. */
export interface JudgedSubmission extends Omit<SubmittedEntry, 'rank' | 'season'> {
  /** The board with the rules under which it was judged. */
  readonly under: Board
}

/** A submission whose player was checked. */
export interface CheckedSubmission {
  readonly board: Board
  readonly target: Target
  /** The player's present name. */
  readonly name: string | null
}

/** The views after the wait for a submission. */
interface BoardAfter {
  /** Null if they do not have the board. */
  readonly present: Board | null
  /** Whether they show the submission. */
  readonly isVisible: boolean
}

/**
 * The result under the rules in force at the submission's position in the log, with their generation of entries. Views
 * that do not show the submission may not show a change of rules before it either: the log has it. A promise only if
 * the log must be read.
 */
export function judgeSubmission(
  deps: JudgeDeps,
  checked: CheckedSubmission,
  recorded: Submitted,
  { present, isVisible }: BoardAfter,
): JudgedSubmission | Promise<JudgedSubmission> {
  const { board, target } = checked
  const now = present ?? board
  if (recorded.replayed || (isVisible && now.generation === board.generation)) return judgedAs(checked, recorded, board)
  return underRulesInForce(deps, target, recorded).then((judged) =>
    judgedAs(checked, judged, judged.rules === target.rules ? board : now),
  )
}

function judgedAs({ target, name }: CheckedSubmission, judged: Submitted, under: Board): JudgedSubmission {
  const { shown, improved, submitted, written, replayed } = judged
  const { submission, details, added } = shown
  const frame = { id: shown.entry, player: target.player, added, updated: submission.time }
  const entry = answeredEntry(frame, submission, details, name)
  return { shown, entry, improved, submitted, written, replayed, under }
}

/** The present rank of the entry that a judged submission shows; null as in `SubmittedEntry`. */
export async function rankOfJudged(
  queries: QueryDeps,
  judged: JudgedSubmission,
  freshness: Freshness,
): Promise<number | null> {
  const { player } = judged.entry
  const [[ranked = null], playing] = await Promise.all([
    ranksOf(queries, judged.under, [rankedIn(judged)]),
    playersOnBoards(queries, [player], freshness),
  ])
  return playing.has(player) ? ranked : null
}

/** What the rank of a judged submission is counted for. */
export const rankedIn = ({ entry, shown }: JudgedSubmission): RankedSubmission => ({
  entry,
  shown: { id: shown.submission.id, position: shown.position },
})

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

export type JudgeDeps = Pick<CommandDeps, 'log' | 'submissionTexts'>

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

/** A promise only if the details or the position of the shown submission must be read. */
function judge(
  { log, submissionTexts }: JudgeDeps,
  stream: string,
  rules: Rules,
  { before, after, position, isLater, exactly }: InStream,
  own: ScoreSubmittedData,
  revision: number,
): Judged | null | Promise<Judged> {
  const { shown, first } = after
  if (shown === null || first === null) return null
  const isShown = shown.revision === revision
  const improved = isShown && (before.shown === null || beats(rules, shown, before.shown))
  const [entry, added] = rules.unique ? [first.id, first.time] : [shown.id, shown.time]
  const made = before.shown === null ? entry : null
  const submitted = rules.unique ? made : isCounted(rules, own) ? own.id : null
  const judgedWith = ({ details, position }: SubmissionRest): Judged => ({
    shown: { submission: shown, details, position, entry, added },
    improved,
    submitted,
  })
  if (isShown && position !== null) {
    const rest: SubmissionRest = isLater
      ? { details: detailsOf(own), position, isLater }
      : { details: detailsOf(own), position }
    submissionTexts?.note(stream, revision, rest)
    return judgedWith(rest)
  }
  const read = submissionTexts?.of(stream, shown.revision, exactly) ?? readRest(log, stream, shown.revision)
  return read.then(judgedWith)
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
  underOwn: () => Judged | null | Promise<Judged | null>,
): Promise<(Judged & { readonly rules: Rules }) | null> {
  for (const rules of await rulesAt(deps.log, target.board, position)) {
    const isOwn = sameRules(rules, target.rules)
    const judged = await (isOwn ? underOwn() : judgeUnder(deps, aboutOf(target).stream, rules, revision))
    if (judged !== null) return { ...judged, rules: isOwn ? target.rules : rules }
  }
  return null
}

/** Which state shows a submission, after the wait for the views. */
export const freshnessAfter = (replayed: boolean, isVisible: boolean): Freshness =>
  isVisible && !replayed ? 'waited' : 'now'

/**
 * Those of the players who are neither banned nor deleted: the others' submissions stay recorded but have no rank. None
 * while no store can answer.
 */
export async function playersOnBoards(
  queries: QueryDeps,
  ids: readonly string[],
  freshness: Freshness,
): Promise<ReadonlySet<string>> {
  try {
    const found = await findPlayers(queries, ids, freshness)
    return new Set(ids.filter((id) => found.get(id)?.state.banned === null))
  } catch (error) {
    if (error instanceof StoreUnavailable) return new Set()
    throw error
  }
}
