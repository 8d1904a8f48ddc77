// Commands that submit and delete scores. The result is computed from the folded stream, so that a repeated call gets
// the first answer.

import { type Rules, sameRules } from '../domain/board-rules.ts'
import { within } from '../domain/entry.ts'
import { unsafeCast } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import {
  detailsOf,
  type RecordedSubmission,
  type ScoreContent,
  type ScoreSubmittedData,
  scoreStream,
} from '../domain/score.ts'
import { deleteScore, type Standing, standing, submitScore } from '../domain/standing.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import type { CommandContext, CommitPosition } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { fold, unfolded } from './fold.ts'
import { readDetails } from './submission-texts.ts'

/** The target of a score: a player on a board, with the rules that the caller knows. */
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

/** The player's best entry after the submission. */
export interface BestEntry extends RecordedSubmission, ScoreContent {
  /** The entry's id: on a unique board the id of the first submission, else of the best one. */
  readonly entry: string
  readonly added: string
}

export interface Submitted {
  readonly best: BestEntry
  readonly improved: boolean
  /** Id of the entry that this call created; null if none. */
  readonly submitted: string | null
  /** The submission's revision in its stream. */
  readonly revision: number
  readonly written: CommitPosition | null
  readonly replayed: boolean
}

/**
 * Records a submission and returns the player's best entry after it. 422 `score_below_minimum`, `score_above_maximum`.
 */
export async function submit(
  deps: CommandDeps,
  target: Target,
  content: ScoreContent,
  context: CommandContext,
): Promise<Submitted> {
  const data = { id: context.generator.id('score'), ...content }
  const about = aboutOf(target)
  const { rules, since } = target
  // The clock of the node that created the board may be a little ahead.
  const following = { ...context, notBefore: since }
  const handled = await deps.handler.handle(standingOf(target), about, following, submitScore(rules, data))
  const { events, written, replayed } = handled
  const [own] = events
  if (own === undefined) throw new Error('a recorded submission has no event')
  const { revision } = own
  const repeated = replayed && written !== null ? await judgeAtPosition(deps, target, written.position, revision) : null
  const judged = repeated ?? (await judge(deps, about.stream, rules, handled, { ...data, revision }))
  if (judged === null) throw new Error('a recorded submission has no standing')
  return { ...judged, revision, written, replayed }
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
  const judged = written === null ? null : await judgeAtPosition(deps, target, written.position, revision)
  return { ...recorded, rules: target.rules, ...judged }
}

type JudgeDeps = Pick<CommandDeps, 'log' | 'submissionTexts'>

type Judged = Pick<Submitted, 'best' | 'improved' | 'submitted'>

/** The result of a recorded submission under given rules; null if the player has no entry then. */
async function judgeUnder(deps: JudgeDeps, stream: string, rules: Rules, revision: number): Promise<Judged | null> {
  const aggregate = standing(rules, 'all')
  let before = unfolded(aggregate)
  for await (const event of eventsFrom(deps.log, stream)) {
    const after = fold(aggregate, before, event)
    if (event.revision === revision) {
      const own = { ...unsafeCast<ScoreSubmittedData>(event.data), revision }
      return judge(deps, stream, rules, { before: before.state, after: after.state }, own)
    }
    before = after
  }
  return null
}

async function judge(
  { log, submissionTexts }: JudgeDeps,
  stream: string,
  rules: Rules,
  { before, after }: { readonly before: Standing; readonly after: Standing },
  own: ScoreSubmittedData & { readonly revision: number },
): Promise<Judged | null> {
  const { best, first } = after
  if (best === null || first === null) return null
  const improved = best.revision === own.revision
  const earlier = () => submissionTexts?.of(stream, best.revision) ?? readDetails(log, stream, best.revision)
  const details = improved ? detailsOf(own) : await earlier()
  if (improved) submissionTexts?.note(stream, own.revision, details)
  const [entry, added] = rules.unique ? [first.id, first.time] : [best.id, best.time]
  const made = before.best === null ? entry : null
  return {
    best: { ...best, ...details, entry, added },
    improved,
    submitted: rules.unique ? made : within(rules, own.score) ? own.id : null,
  }
}

const aboutOf = ({ game, board, player }: Target) => ({ stream: scoreStream(board, player), game, board, player })

/** Once rules have changed, deletions under earlier rules matter too, so all submissions are kept. */
const standingOf = ({ rules, generation }: Target) => standing(rules, generation > 1 ? 'all' : 'first and best')

/**
 * The result under the rules in force at a position of the log; the target's own object if they are equal. Null if the
 * player has no entry under any.
 */
async function judgeAtPosition(
  deps: JudgeDeps,
  target: Target,
  position: string,
  revision: number,
): Promise<(Judged & { readonly rules: Rules }) | null> {
  const then: Rules[] = []
  for await (const event of eventsFrom(deps.log, boardStream(target.board))) {
    if (event.position > position) break
    if (event.type === 'LeaderboardCreated' || event.type === 'LeaderboardRulesChanged') {
      then.unshift(unsafeCast(event.data.rules))
    }
  }
  for (const rules of then) {
    const judged = await judgeUnder(deps, aboutOf(target).stream, rules, revision)
    if (judged !== null) return { ...judged, rules: sameRules(rules, target.rules) ? target.rules : rules }
  }
  return null
}

/** Deletes an entry from its board. 404 `score_not_found` if the board does not have it. */
export function remove(deps: CommandDeps, target: Target, id: string, context: CommandContext) {
  return deps.handler.handle(standingOf(target), aboutOf(target), context, deleteScore(target.rules, id))
}
