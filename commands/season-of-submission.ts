// The season that a recorded submission joined: the player's rank in it now, and whether the submission became their
// best one of it.

import { keepOf, type Rules } from '../domain/board-rules.ts'
import { type BoardSeasons, seasonAndPrevious, seasonJoined } from '../domain/season-records.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { Board } from '../queries/leaderboard.ts'
import type { Entry } from '../queries/scores/entry.ts'
import { bestWithRank } from '../queries/scores/one.ts'
import { readSeasons, seasonBoard, seasonsOfBoard } from '../queries/seasons.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Freshness } from '../stores/contract/views.ts'
import type { CommitPosition } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { rulesAt } from './rules-at.ts'
import { aboutOf, type Target } from './score-target.ts'
import type { IsImproved } from './season-improvements.ts'
import { seasonsAt } from './seasons-at.ts'

export interface SeasonOfSubmission {
  readonly season: number
  /** Null while no store can answer, or if the player was banned or deleted meanwhile. */
  readonly rank: number | null
  /** Whether the player's entry of the season ranks better than before; true if it is new. */
  readonly improved: boolean
}

interface SeasonDeps {
  readonly commands: Pick<CommandDeps, 'log'>
  readonly queries: QueryDeps
  /** One for all submissions of a call. */
  readonly isImproved: IsImproved
}

interface RecordedInBoard {
  /** As the views have it after the submission. */
  readonly board: Board
  readonly target: Target
  readonly recorded: {
    /** In its stream. */
    readonly revision: number
    readonly time: string
    readonly written: CommitPosition | null
    readonly replayed: boolean
  }
  /** Whether the views show the submission. */
  readonly isVisible: boolean
  readonly freshness: Freshness
}

/** Null: no season was open. Undefined, without a promise: the leaderboard never had seasons. */
export const seasonOfSubmission = (
  deps: SeasonDeps,
  at: RecordedInBoard,
): undefined | Promise<SeasonOfSubmission | null | undefined> =>
  // A repeated call has the leaderboard from before it waited for the views.
  at.isVisible && !at.recorded.replayed && at.board.state.seasons === undefined ? undefined : seasonJoinedBy(deps, at)

async function seasonJoinedBy(
  { commands: { log }, queries, isImproved }: SeasonDeps,
  { board, target, recorded, isVisible, freshness }: RecordedInBoard,
): Promise<SeasonOfSubmission | null | undefined> {
  const { revision, time, written, replayed } = recorded
  if (written === null) return null
  const { position } = written
  const joinedIn = (seasons: BoardSeasons) => {
    const season = seasonJoined(seasons, { position, time })
    return season === null
      ? null
      : { own: seasonBoard(board, seasons, season), around: seasonAndPrevious(seasons, season) }
  }
  // The log, for views that are behind.
  const past = isVisible ? null : await seasonsAt(log, board.id, position)
  const head = isVisible ? await seasonsOfBoard(queries, board.id, freshness) : (past?.head ?? null)
  if (head === null) return undefined
  const joined = past === null ? await readSeasons(queries, board.id, head, joinedIn) : joinedIn(past)
  if (joined === null) return null
  const { own, around } = joined
  const { best, rank } = isVisible ? await bestWithRank(queries, own, target.player) : { best: null, rank: null }
  // After a change of rules, and for a repeated call, the entry and its rules may not be what they were then.
  const isAsRecorded = isVisible && !replayed && own.generation === target.generation
  const [rules = own.state.rules] = isAsRecorded ? [] : await rulesAt(log, board.id, position)
  const { stream } = aboutOf(target)
  const seen = isAsRecorded ? improvedNow(best, rules, revision) : null
  const improved =
    seen !== null && (await isUndeletedSince(log, stream, revision))
      ? seen
      : await isImproved({ stream, revision, season: own.season, around, rules })
  return { season: own.season, rank, improved }
}

/** Whether an entry shows a submission, if it shows the best one; null: the entry does not say. */
function improvedNow(best: Entry | null, rules: Rules, revision: number): boolean | null {
  if (keepOf(rules) !== 'best' || best?.revision === undefined || best.revision > revision) return null
  return best.revision === revision
}

/** Events after a submission that are searched for a deletion. */
const SEARCHED = 16

/**
 * False if a score of the player was deleted since, or more events follow than are searched: the best one may not be
 * the one of then.
 */
async function isUndeletedSince(log: Pick<Log, 'readStream'>, stream: string, revision: number): Promise<boolean> {
  const later = await log.readStream(stream, revision + 1, SEARCHED)
  return later.length < SEARCHED && later.every(({ type }) => type !== 'ScoreDeleted')
}
