// Leaderboards and their API answers.

import { keepOf, type Rules } from '../domain/board-rules.ts'
import { Refusal } from '../domain/decider.ts'
import type { Leaderboard } from '../domain/leaderboard.ts'
import { partitionOf } from '../domain/partition.ts'
import type { SeasonSchedule } from '../domain/season-schedule.ts'
import { rankingKey } from '../ranking/key.ts'
import { areRankingsOut } from '../stores/contract/rankings.ts'
import type { Freshness } from '../stores/contract/views.ts'
import { folded, foldedAll, foldedPage, type Page, type Paging, type QueryDeps } from './deps.ts'

/** Ranked entries of a leaderboard: all, or those of one season. */
export interface RankedBoard {
  /** Of the leaderboard. */
  readonly id: string
  readonly game: string
  /** The generation of the entries. */
  readonly generation: number
  /** Absent: all entries. */
  readonly season?: number
  readonly state: Pick<Leaderboard, 'rules'>
}

/** A leaderboard with its active generation. */
export interface Board extends RankedBoard {
  readonly state: Leaderboard
}

/** A leaderboard, or null; an archived one only with `archivedToo`. */
export async function findBoard(
  deps: QueryDeps,
  id: string,
  archivedToo = false,
  freshness: Freshness = 'now',
): Promise<Board | null> {
  const found = await folded<Leaderboard>(deps, 'leaderboards', id, freshness)
  return found === null || (found.state.archived && !archivedToo) ? null : (found as Board)
}

/** By id, archived ones too. */
export async function findBoards(
  deps: QueryDeps,
  ids: readonly string[],
  freshness: Freshness = 'now',
): Promise<ReadonlyMap<string, Board>> {
  const boards = new Map<string, Board>()
  for (const one of await foldedAll<Leaderboard>(deps, 'leaderboards', ids, freshness)) {
    if (one !== null) boards.set(one.id, one as Board)
  }
  return boards
}

/**
 * The leaderboard if it belongs to the game. Throws 404 `leaderboard_not_found`; for an archived one too, unless
 * `archivedToo`.
 */
export function boardOfGame(found: Board | null | undefined, game: string | null, archivedToo: boolean): Board {
  if (found && found.game === game && (archivedToo || !found.state.archived)) return found
  throw new Refusal('not_found', 'leaderboard_not_found', 'There is no such leaderboard.')
}

export async function listBoards(deps: QueryDeps, game: string, paging: Paging): Promise<Page<Board>> {
  const page = await foldedPage<Leaderboard>(deps, 'leaderboards', { index: 'game', equal: [game] }, paging)
  return { ...page, rows: page.rows as readonly Board[] }
}

/** `entries`: the number of entries if it is known, for a read with `as_of`. */
export async function boardAnswer(deps: QueryDeps, { id, game, generation, state }: Board, entries?: number) {
  const { name, description, key, seasons } = state
  const { keep, ...rules } = rulesAnswer(state.rules)
  return {
    id,
    name,
    description,
    game,
    ...rules,
    entries: entries ?? (await numberOfEntries(deps, game, rankingKey(id, generation))),
    key,
    seasons: scheduleAnswer(seasons?.schedule ?? null),
    keep,
  }
}

const scheduleAnswer = (schedule: SeasonSchedule | null) =>
  schedule && { cron: schedule.cron, time_zone: schedule.timeZone }

/** The rules as answers have them. */
export const rulesAnswer = (rules: Rules) => ({
  ordering: rules.ordering,
  secondary_ordering: rules.secondaryOrdering,
  unique: rules.unique,
  min_score: rules.minScore,
  max_score: rules.maxScore,
  keep: keepOf(rules),
})

/**
 * The size of a ranking of a game. Counts documents while the rankings are being filled or their store is unavailable,
 * so that a board that was created or changed can always be answered.
 */
export async function numberOfEntries(deps: QueryDeps, game: string, key: string): Promise<number> {
  const view = deps.viewKey('entries')
  const rankings = deps.rankings.of(view, partitionOf(game))
  return rankings.size(key).catch((error: unknown) => {
    if (!areRankingsOut(error)) throw error
    const find = { view, collection: 'entries', index: 'rank', equal: [key] }
    return deps.views.count({ ...find, limit: Number.MAX_SAFE_INTEGER })
  })
}
