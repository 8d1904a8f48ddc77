// GET scores: a page of a leaderboard in any order, inside a window, filtered, of one player, or around one.
// `createListScores` makes the entry point for live boards and seasons, which answers from cached texts or from rows;
// `listRows` finds the rows, of past boards too. Ranks, pages, score bounds and indexed windows are answered by
// searches. Reads that walk through entries are queued and run in time slices.

import { setTimeout } from 'node:timers/promises'
import type { Position } from '../../domain/event.ts'
import {
  areSame,
  type ClosedRanking,
  cachedDifferences,
  createDifferencesCache,
  type Differences,
  type DifferencesCache,
  isCurrent,
} from '../closed-season/differences.ts'
import {
  cachedFinalRanks,
  createFinalRanksCache,
  type FinalRanksCache,
  finalRanks,
} from '../closed-season/final-ranks.ts'
import type { QueryDeps } from '../deps.ts'
import type { Board } from '../leaderboard.ts'
import type { SeasonBoard } from '../seasons.ts'
import { type Heavy, unqueued } from '../work-queue.ts'
import { agreed, refuseWhereLost } from './board.ts'
import { BoardReader } from './board-reader.ts'
import { farPage, isFarByTime } from './by-time.ts'
import { documentRankings } from './document-rankings.ts'
import { filteredPage } from './filtered-page.ts'
import { indexedWindow } from './indexed-window.ts'
import { ofPlayer } from './of-player.ts'
import { byDocuments, plainPage } from './plain.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { createTextPages, MAX_CACHED_PAGE_CHARACTERS, type RowEnds, type TextPage } from './text-pages.ts'
import { shownPage } from './window.ts'

/** A query for all entries of a board, without a window. */
export const UNFILTERED = {
  since: null,
  until: null,
  shownInside: false,
  playerName: null,
  minScore: null,
  maxScore: null,
  player: null,
  around: null,
} satisfies Partial<ScoresQuery>

/**
 * A page of a live board, or of a season: as texts if the query is one that `text-pages.ts` answers, else as rows;
 * those of a season with their ranks at closing. `heavy` runs reads that walk through entries. Throws 503
 * `rankings_filling` and what `heavy` throws.
 */
export type ListScores = (
  board: Board | SeasonBoard,
  query: ScoresQuery,
  heavy: Heavy,
) => Promise<TextPage | ScoresPage>

/** Each call makes a cache of `maxCharacters` characters of texts. */
export function createListScores(deps: QueryDeps, maxCharacters = MAX_CACHED_PAGE_CHARACTERS): ListScores {
  const cached = {
    textPage: createTextPages(maxCharacters),
    differences: createDifferencesCache(),
    finalRanks: createFinalRanksCache(),
  }
  return async (board, query, heavy) => {
    const reader = new BoardReader(deps, board)
    if ('isClosed' in board) return pageOfSeason(cached, reader, board, query, heavy)
    return (await cached.textPage(reader, query)) ?? listRows(reader, query, heavy)
  }
}

/**
 * How often a page of a closed season is read from the ranking, because an entry is hidden, shown or deleted meanwhile:
 * the ranking has that before the documents, which the ranks at closing follow from. Afterwards the documents alone are
 * read.
 */
const TRIES = 5
const MAX_TRIES = 10
/** Writing the documents takes about as long. */
const RETRY_MS = 10

interface Cached {
  readonly textPage: ReturnType<typeof createTextPages>
  /** These two of closed seasons. */
  readonly differences: DifferencesCache
  readonly finalRanks: FinalRanksCache
}

async function pageOfSeason(
  cached: Cached,
  reader: BoardReader,
  board: SeasonBoard,
  query: ScoresQuery,
  heavy: Heavy,
): Promise<TextPage | ScoresPage> {
  const { isClosed, closingAt } = board
  if (isClosed && (closingAt === null || (await isApplied(reader, closingAt)))) {
    return pageOfClosed(cached, reader, board, query, heavy)
  }
  const { textPage } = cached
  const text = await textPage(reader, query, withoutFinalRanks)
  if (text !== null) return text
  const page = await listRows(reader, query, heavy)
  return { ...page, finalRanks: page.rows.map(() => null) }
}

/** False while a store may have written the closing to the season, but not to its entries: it counts as open then. */
async function isApplied(reader: BoardReader, closingAt: Position): Promise<boolean> {
  return ((await reader.reached()) ?? '') >= closingAt
}

async function pageOfClosed(
  { textPage, differences, finalRanks: cachedRanks }: Cached,
  reader: BoardReader,
  board: SeasonBoard,
  query: ScoresQuery,
  heavy: Heavy,
): Promise<TextPage | ScoresPage> {
  const { deps, key } = reader
  const { pages } = reader.rankings
  const of = { deps, board: board.id, season: board.season, key }
  const version = () => (reader.isActiveRanking() ? (pages?.version(key) ?? null) : null)
  const ranking = pages === undefined ? of : { ...of, version }
  const readDifferences = () => cachedDifferences(differences, ranking, { reached: () => reader.reached(), heavy })
  let before = await readDifferences()
  const text = await textPage(reader, query, textsWithFinalRanks(cachedRanks, ranking, before))
  if (text !== null) return text
  for (let attempt = 1; ; attempt++) {
    const isByDocuments = attempt > TRIES
    const page = await (isByDocuments ? rowsByDocuments(deps, board, query, heavy) : listRows(reader, query, heavy))
    const withFinalRanks = { ...page, finalRanks: await finalRanks(ranking, page.rows, before) }
    // Before the differences are read again: equal ones have all that the ranking had.
    const isAhead = !isByDocuments && (await reader.isRankingAhead())
    const after = await readDifferences()
    if ((areSame(before, after) && !isAhead) || attempt === MAX_TRIES) return withFinalRanks
    if (isAhead) await setTimeout(RETRY_MS)
    before = after
  }
}

const withFinalRank = (rank: number | null): string => `,"final_rank":${rank}`

const withoutFinalRanks = () => () => withFinalRank(null)

/** None where the page has another state of the ranking than the differences. */
function textsWithFinalRanks(cache: FinalRanksCache, ranking: ClosedRanking, differences: Differences): RowEnds {
  return (sortKeys, offset) => {
    if (!isCurrent(ranking, differences)) return null
    if (differences.changedAt === null) return withFinalRank
    const found = cachedFinalRanks(cache, ranking, { sortKeys: sortKeys(), offset, differences })
    const endsOf = (ranks: Awaited<typeof found>) =>
      ranks && ((_: number, at: number) => withFinalRank(ranks[at] ?? null))
    return found instanceof Promise ? found.then(endsOf) : endsOf(found)
  }
}

function rowsByDocuments(deps: QueryDeps, board: SeasonBoard, query: ScoresQuery, heavy: Heavy): Promise<ScoresPage> {
  const reader = new BoardReader(deps, board, documentRankings(deps))
  return heavy((slices) => listRows(reader, query, (work) => work(slices)))
}

/**
 * The rows of a page of a live or past board. The default `heavy` does not queue, for callers that bound their queries.
 * Throws as `ListScores`.
 */
export async function listRows(reader: Reader, query: ScoresQuery, heavy: Heavy = unqueued): Promise<ScoresPage> {
  const found = await pageFrom(reader, query, heavy)
  return reader.whole === undefined ? found : { ...found, rows: await reader.whole(found.rows) }
}

function pageFrom(reader: Reader, query: ScoresQuery, heavy: Heavy): Promise<ScoresPage> {
  if (query.since !== null || query.until !== null) return windowPage(reader, query, heavy)
  if (query.player !== null) return ofPlayer(reader, query.player, query, heavy)
  const isBounded = query.minScore !== null || query.maxScore !== null
  const isByTime = query.around === null && (query.order === 'newest' || query.order === 'oldest')
  if (query.playerName !== null || (isBounded && isByTime)) {
    return heavy((slices) => filteredPage(reader, query, slices).catch(refuseWhereLost))
  }
  if (isByTime && isFarByTime(reader, query)) {
    return heavy((slices) => farPage(reader, query, slices).catch(refuseWhereLost))
  }
  return agreed(
    () => plainPage(reader, query),
    () => byDocuments(reader, query),
  )
}

/** Ranks inside a window count all of its entries; the filters only select which are returned. */
async function windowPage(reader: Reader, query: ScoresQuery, heavy: Heavy): Promise<ScoresPage> {
  const isFiltered = query.playerName !== null || query.minScore !== null || query.maxScore !== null
  const indexed = (queue: Heavy) => (isFiltered ? null : indexedWindow(reader, query, queue).catch(refuseWhereLost))
  // On a board that is not unique each submission is an entry, so `window=best` is the plain window.
  if (query.shownInside && reader.rules.unique) {
    // Work in the queue must not wait for the queue again.
    return heavy(
      async (slices) => (await indexed((work) => work(slices))) ?? (await shownPage(reader, query, slices)),
      'past',
    )
  }
  return (await indexed(heavy)) ?? heavy((slices) => filteredPage(reader, query, slices).catch(refuseWhereLost))
}
