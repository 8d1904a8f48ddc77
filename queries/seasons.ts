// The seasons of a leaderboard: which one a read names, and the list of all. A season is read as a leaderboard with
// entries of its own.

import { setTimeout } from 'node:timers/promises'
import { Refusal } from '../domain/decider.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { isoOf } from '../domain/iso.ts'
import {
  type BoardSeasons,
  isUpTo,
  namedSeasons,
  recordOf,
  type SeasonRecord,
  type SeasonsChunk,
  type SeasonsHead,
} from '../domain/season-records.ts'
import type { NextSeason } from '../domain/seasons.ts'
import { playersKey, rankingKey, seasonKey, seasonsChunk } from '../ranking/key.ts'
import type { Freshness } from '../stores/contract/views.ts'
import type { Page, Paging, QueryDeps } from './deps.ts'
import { documentPages } from './document-pages.ts'
import { type Board, numberOfEntries, type RankedBoard, rulesAnswer } from './leaderboard.ts'

/** The entries of one season, with the rules that rank them. */
export interface SeasonBoard extends RankedBoard {
  readonly season: number
  readonly isClosed: boolean
  /** The position of SeasonClosed, while the view may have applied it in part; null: it has not, or all of it. */
  readonly closingAt: Position | null
}

export type WantedSeason = number | 'current' | 'last'

/** How often a chunk of seasons is read again that is older than its head, and the pause in between. */
const TRIES = 20
const RETRY_MS = 10

type ViewDeps = Pick<QueryDeps, 'views' | 'viewKey'>

/** Null: the leaderboard never had seasons. */
export async function seasonsOfBoard(
  { views, viewKey }: ViewDeps,
  board: string,
  freshness: Freshness = 'now',
): Promise<SeasonsHead | null> {
  const [found = null] = await views.current(viewKey('entries'), 'seasons', [board], freshness)
  return found === null ? null : unsafeCast<SeasonsHead>(found.body)
}

/**
 * What `read` returns of the seasons of a leaderboard. It is called again once the chunks that it asked for are read;
 * most reads need none. 503 `behind` if a store has not written the chunks of this head yet.
 */
export async function readSeasons<Result>(
  deps: ViewDeps,
  board: string,
  head: SeasonsHead,
  read: (seasons: BoardSeasons) => Result,
): Promise<Result> {
  const chunks = new Map<number, readonly SeasonRecord[]>()
  for (;;) {
    const lacking = new Set<number>()
    const chunk = (number: number): readonly SeasonRecord[] => {
      const known = chunks.get(number)
      if (known === undefined) lacking.add(number)
      return known ?? []
    }
    const result = read({ head, chunk })
    if (lacking.size === 0) return result
    for (const number of lacking) chunks.set(number, await chunkOfHead(deps, board, head, number))
  }
}

async function chunkOfHead(
  { views, viewKey }: ViewDeps,
  board: string,
  head: SeasonsHead,
  number: number,
): Promise<readonly SeasonRecord[]> {
  const [view, id] = [viewKey('entries'), seasonsChunk(board, head.numbering, number)]
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [found = null] = await (attempt === 0
      ? views.current(view, 'season_chunks', [id], 'now')
      : views.get(view, 'season_chunks', [id]))
    const records = unsafeCast<SeasonsChunk | null>(found?.body ?? null)?.records ?? []
    // Stores may write the head of a batch before its chunks.
    if (isUpTo(records, number, head)) return records
    await setTimeout(RETRY_MS)
  }
  throw new Refusal('unavailable', 'behind', 'Seasons of this leaderboard are being closed. Retry in a moment.', {
    retry_after: 1,
  })
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
  const head = await seasonsOfBoard(deps, board.id)
  if (head === null) {
    throw new Refusal('unprocessable', 'no_seasons', 'This leaderboard never had seasons: leave out `season`.')
  }
  const named = namedSeasons(head, isoOf(Math.floor(nowMs)))
  const season = typeof wanted === 'number' ? wanted : named[wanted]
  const newest = Math.max(head.count, named.current ?? 0)
  if (season === null || season < 1 || season > newest) throw seasonNotFound(wanted, newest)
  return readSeasons(deps, board.id, head, (seasons) => seasonBoard(board, seasons, season))
}

/**
 * The season after the newest one; null: that is not closed, or there is none. What joined the next one did so before
 * that closing, which the view applies after it.
 */
export async function nextSeason(deps: ViewDeps, board: string): Promise<NextSeason | null> {
  const head = await seasonsOfBoard(deps, board)
  if (head === null || head.newest.at(-1)?.closed == null) return null
  const season = head.count + 1
  const equal = [seasonKey(board, head.numbering, season)]
  const rankings = { view: deps.viewKey('entries'), collection: 'generations', index: 'season', equal }
  return { season, hasSubmissions: (await deps.views.count({ ...rankings, limit: 1 })) > 0 }
}

/** The season that a submission recorded now would join. */
export interface CurrentSeason {
  readonly board: SeasonBoard
  /** When it ends (Unix milliseconds); null: it is not opened yet. */
  readonly endsMs: number | null
}

/** At an instant (Unix milliseconds). Null: no season is open. */
export async function currentSeason(deps: QueryDeps, board: Board, nowMs: number): Promise<CurrentSeason | null> {
  const head = await seasonsOfBoard(deps, board.id)
  const season = head === null ? null : namedSeasons(head, isoOf(Math.floor(nowMs))).current
  if (head === null || season === null) return null
  return readSeasons(deps, board.id, head, (seasons) => {
    const record = recordOf(seasons, season)
    return { board: seasonBoard(board, seasons, season), endsMs: record === null ? null : Date.parse(record.due) }
  })
}

function seasonNotFound(wanted: WantedSeason, newest: number): Refusal {
  const missing = {
    current: 'No season of this leaderboard is open: it has no schedule. Set `seasons` of the leaderboard to open one.',
    last: 'No season of this leaderboard has ended yet.',
  }
  const detail =
    typeof wanted === 'number' ? `There is no season of this number: the newest is ${newest}.` : missing[wanted]
  return new Refusal('not_found', 'season_not_found', detail)
}

/** A season that exists, or the one after the newest. */
export function seasonBoard(board: Board, seasons: BoardSeasons, season: number): SeasonBoard {
  const record = recordOf(seasons, season)
  const closed = record?.closed ?? null
  const { generation, rules } = closed ?? seasons.head
  // A standing is recorded once the closing is applied.
  const closingAt = record?.recorded === true ? null : (closed?.position ?? null)
  const { id, game } = board
  return { id, game, generation, state: { rules }, season, isClosed: closed !== null, closingAt }
}

/** A leaderboard whose open season has ended. */
export interface EndedSeason {
  readonly board: string
  readonly game: string
  /** That of the last event of the leaderboard that the view has applied. */
  readonly position: Position
}

/**
 * Pages of the leaderboards that are not archived and whose open season has ended at an instant (Unix milliseconds),
 * the earliest ends first. A page is read when the caller asks for it.
 */
export async function* endedSeasons(deps: ViewDeps, nowMs: number): AsyncGenerator<readonly EndedSeason[]> {
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
  const head = await seasonsOfBoard(deps, board.id)
  const count = head?.count ?? 0
  if (head === null) return { rows: [], count }
  const numbers: number[] = []
  for (let season = count - offset; season >= 1 && numbers.length < limit; season--) numbers.push(season)
  const found = await readSeasons(deps, board.id, head, (seasons) =>
    numbers.map((season) => ({ record: recordOf(seasons, season), own: seasonBoard(board, seasons, season) })),
  )
  return { rows: await Promise.all(found.map(({ record, own }) => seasonRow(deps, own, record))), count }
}

async function seasonRow(
  deps: QueryDeps,
  { id, game, generation, season, state: { rules } }: SeasonBoard,
  record: SeasonRecord | null,
) {
  if (record === null) throw new Error(`leaderboard ${id} has no season ${season}`)
  const { starts, ends, closed, recorded } = record
  const state = closed === null ? 'open' : recorded ? 'closed' : 'closing'
  const entries = await numberOfEntries(deps, game, rankingKey(id, generation, season))
  const players = rules.unique ? entries : await numberOfEntries(deps, game, playersKey(id, generation, season))
  return { season, starts, ends, state, players, entries, closed_at: closed?.time ?? null, rules: rulesAnswer(rules) }
}
