// The seasons of a leaderboard: which one a read names, and the list of all. A season is read as a leaderboard with
// entries of its own.

import { Refusal } from '../domain/decider.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { isoOf } from '../domain/iso.ts'
import { type BoardSeasons, namedSeasons } from '../domain/season-records.ts'
import { playersKey, rankingKey } from '../ranking/key.ts'
import type { Freshness } from '../stores/contract/views.ts'
import type { Page, Paging, QueryDeps } from './deps.ts'
import { documentPages } from './document-pages.ts'
import { type Board, numberOfEntries, rulesAnswer } from './leaderboard.ts'

/** A leaderboard with the entries and rules of one season. */
export interface SeasonBoard extends Board {
  readonly season: number
  readonly isClosed: boolean
}

export type WantedSeason = number | 'current' | 'last'

/** Null: the leaderboard never had seasons. */
export async function seasonsOfBoard(
  { views, viewKey }: Pick<QueryDeps, 'views' | 'viewKey'>,
  board: string,
  freshness: Freshness = 'now',
): Promise<BoardSeasons | null> {
  const [found = null] = await views.current(viewKey('entries'), 'seasons', [board], freshness)
  return found === null ? null : unsafeCast<BoardSeasons>(found.body)
}

/**
 * The season that a read names at an instant (Unix milliseconds). 422 `no_seasons` for a leaderboard that never had
 * any, 404 `season_not_found`.
 */
export async function findSeason(
  deps: QueryDeps,
  board: Board,
  wanted: WantedSeason,
  nowMs: number,
): Promise<SeasonBoard> {
  const seasons = await seasonsOfBoard(deps, board.id)
  if (seasons === null) {
    throw new Refusal('unprocessable', 'no_seasons', 'This leaderboard never had seasons: leave out `season`.')
  }
  const named = namedSeasons(seasons.records, isoOf(Math.floor(nowMs)))
  const season = typeof wanted === 'number' ? wanted : named[wanted]
  const newest = Math.max(seasons.records.length, named.current ?? 0)
  if (season === null || season < 1 || season > newest) throw seasonNotFound(wanted, newest)
  return seasonBoard(board, seasons, season)
}

/** The season that a submission recorded now would join. */
export interface CurrentSeason {
  readonly board: SeasonBoard
  /** When it ends (Unix milliseconds); null: it is not opened yet. */
  readonly endsMs: number | null
}

/** At an instant (Unix milliseconds). Null: no season is open. */
export async function currentSeason(deps: QueryDeps, board: Board, nowMs: number): Promise<CurrentSeason | null> {
  const seasons = await seasonsOfBoard(deps, board.id)
  if (seasons === null) return null
  const { records } = seasons
  const { current } = namedSeasons(records, isoOf(Math.floor(nowMs)))
  // The view may have applied the closing of a season and not yet the opening of the next, which is in the same append.
  const isNextDue = current === null && board.state.seasons?.schedule != null
  const season = isNextDue ? records.length + 1 : current
  if (season === null) return null
  const record = records[season - 1]
  return { board: seasonBoard(board, seasons, season), endsMs: record === undefined ? null : Date.parse(record.due) }
}

function seasonNotFound(wanted: WantedSeason, newest: number): Refusal {
  const missing = {
    current: 'No season of this leaderboard is open.',
    last: 'No season of this leaderboard has ended yet.',
  }
  const detail =
    typeof wanted === 'number' ? `There is no season of this number: the newest is ${newest}.` : missing[wanted]
  return new Refusal('not_found', 'season_not_found', detail)
}

/** A season that exists, or the one after the newest. */
export function seasonBoard(board: Board, seasons: BoardSeasons, season: number): SeasonBoard {
  const generation = seasons.records[season - 1]?.generation ?? null
  const own = generation ?? seasons.generation
  const rules = seasons.rules[own] ?? board.state.rules
  return { ...board, generation: own, state: { ...board.state, rules }, season, isClosed: generation !== null }
}

/** A leaderboard whose open season has ended. */
export interface DueSeason {
  readonly board: string
  readonly game: string
  /** That of the last event of the leaderboard that the view has applied. */
  readonly position: Position
}

/**
 * Pages of the leaderboards that are not archived and whose open season has ended at an instant (Unix milliseconds),
 * the earliest ends first. A page is read when the caller asks for it.
 */
export async function* dueSeasons(
  deps: Pick<QueryDeps, 'views' | 'viewKey'>,
  nowMs: number,
): AsyncGenerator<readonly DueSeason[]> {
  const now = isoOf(Math.floor(nowMs))
  const ends = {
    view: 'leaderboards',
    collection: 'leaderboards',
    index: 'seasonEnds',
    equal: [],
    rest: ['seasonEnds'],
  }
  for await (const page of documentPages(deps, ends)) {
    const due = page.filter(({ body }) => String(body.seasonEnds) <= now)
    if (due.length > 0)
      yield due.map(({ body, pos }) => ({ board: String(body.id), game: String(body.game), position: pos }))
    if (due.length < page.length) return
  }
}

/** Newest first. `players` and `entries` as they are now. */
export async function listSeasons(deps: QueryDeps, board: Board, { limit, offset }: Paging): Promise<Page<object>> {
  const seasons = await seasonsOfBoard(deps, board.id)
  const count = seasons?.records.length ?? 0
  if (seasons === null) return { rows: [], count }
  const numbers: number[] = []
  for (let season = count - offset; season >= 1 && numbers.length < limit; season--) numbers.push(season)
  return { rows: await Promise.all(numbers.map((season) => seasonRow(deps, board, seasons, season))), count }
}

async function seasonRow(deps: QueryDeps, board: Board, seasons: BoardSeasons, season: number) {
  const record = seasons.records[season - 1]
  if (record === undefined) throw new Error(`leaderboard ${board.id} has no season ${season}`)
  const { starts, ends, closed, closedAt, recorded } = record
  const own = seasonBoard(board, seasons, season)
  const state = closed === null ? 'open' : recorded ? 'closed' : 'closing'
  const { rules } = own.state
  const entries = await numberOfEntries(deps, board.game, rankingKey(board.id, own.generation, season))
  const players = rules.unique
    ? entries
    : await numberOfEntries(deps, board.game, playersKey(board.id, own.generation, season))
  return { season, starts, ends, state, players, entries, closed_at: closedAt, rules: rulesAnswer(rules) }
}
