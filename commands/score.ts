// Submitting a score and taking one away. What was decided is read off the folded stream, so that a repeated call is
// answered as the first one was.

import { shaped } from '../domain/event.ts'
import type { Rules } from '../domain/leaderboard.ts'
import {
  deleteScore,
  type Placed,
  type ScoreSubmittedData,
  scoreStream,
  standing,
  submitScore,
} from '../domain/score.ts'
import type { Log } from '../stores/contract/log.ts'
import type { CommandDeps } from './deps.ts'
import type { Intent, Written } from './intent.ts'

/** Where a score goes: a board of a game with the rules in force, and whose it is. */
export interface Target {
  readonly game: string
  readonly board: string
  readonly rules: Rules
  readonly player: string
}

/** The player's best entry, as it stood after the submission. */
export interface BestEntry extends Placed {
  /** The entry's id: on a unique board that of the first submission, else the best one's own. */
  readonly entry: string
  readonly added: string
  readonly extra: string | null
  readonly playerName: string | null
}

export interface Submitted {
  readonly best: BestEntry
  readonly improved: boolean
  /** Id of the entry this call made, or null where it made none. */
  readonly submitted: string | null
  readonly written: Written | null
  readonly replayed: boolean
}

/** Records a submission and says where the player stands with it. 422 `score_below_minimum`, `score_above_maximum`. */
export async function submit(
  deps: CommandDeps,
  target: Target,
  score: Omit<ScoreSubmittedData, 'id'>,
  intent: Intent,
): Promise<Submitted> {
  const { game, board, player, rules } = target
  const { score: value, secondary, extra, playerName } = score
  const data = { id: intent.mint.id('score'), score: value, secondary, extra, playerName }
  const about = { stream: scoreStream(board, player), game, board, player }
  const handled = await deps.handler.handle(standing(rules), about, intent, submitScore(rules, data))
  const { before, after, events, written, replayed } = handled
  const own = events[0]
  const { best, first } = after
  if (own === undefined || best === null || first === null)
    throw new Error('a submission was recorded and does not stand')
  const improved = best.revision === own.revision
  const content = improved ? data : await submissionAt(deps.log, about.stream, best.revision)
  const made = rules.unique ? before.first === null : true
  return {
    best: {
      id: best.id,
      score: best.score,
      secondary: best.secondary,
      revision: best.revision,
      time: best.time,
      entry: rules.unique ? first.id : best.id,
      added: rules.unique ? first.time : best.time,
      extra: content.extra,
      playerName: content.playerName,
    },
    improved,
    submitted: made ? data.id : null,
    written,
    replayed,
  }
}

async function submissionAt(log: Log, stream: string, revision: number): Promise<ScoreSubmittedData> {
  const [event] = await log.readStream(stream, revision, 1)
  if (event === undefined) throw new Error(`${stream} has no revision ${revision}`)
  return shaped(event.data)
}

/** Takes an entry off its board. 404 `score_not_found` where it does not stand. */
export function remove(deps: CommandDeps, target: Target, id: string, intent: Intent) {
  const { game, board, player, rules } = target
  const about = { stream: scoreStream(board, player), game, board, player }
  return deps.handler.handle(standing(rules), about, intent, deleteScore(rules, id))
}
