// GET scores: a page of a leaderboard in any order, inside a window, narrowed by filters, of one player, or around one.
// The plain orders are answered from the indexes; whatever narrows is answered by going through the board once.

import { compareDecimals } from '../../domain/decimal.ts'
import type { QueryDeps } from '../deps.ts'
import type { Board } from '../leaderboard.ts'
import { foldCase } from '../player.ts'
import { agreed, everyEntry, readerOf, withRanks } from './board.ts'
import type { Entry, Ranked } from './entry.ts'
import { indexedWindow } from './indexed-window.ts'
import { centred, inOrder } from './order.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { bestInWindow } from './window.ts'

/** A list of all of a board, in no window. */
export const UNFILTERED = {
  since: null,
  until: null,
  bestInside: false,
  playerName: null,
  minScore: null,
  maxScore: null,
  player: null,
  around: null,
} satisfies Partial<ScoresQuery>

export function listScores(deps: QueryDeps, board: Board, query: ScoresQuery): Promise<ScoresPage> {
  return listFrom(readerOf(deps, board), query)
}

export async function listFrom(reader: Reader, query: ScoresQuery): Promise<ScoresPage> {
  const found = await pageFrom(reader, query)
  return reader.whole === undefined ? found : { ...found, rows: await reader.whole(found.rows) }
}

function pageFrom(reader: Reader, query: ScoresQuery): Promise<ScoresPage> {
  const windowed = query.since !== null || query.until !== null
  const filtered = query.playerName !== null || query.minScore !== null || query.maxScore !== null
  return agreed(async () => {
    const indexed = windowed && !filtered
    const page = indexed ? await indexedWindow(reader, query) : null
    if (page !== null) return page
    if (windowed || filtered) return narrowed(reader, query, windowed)
    if (query.around !== null) return reader.around(query.around, query.limit)
    if (query.player !== null) return ofPlayer(reader, query.player, query)
    return plain(reader, query)
  })
}

async function plain(reader: Reader, { order, offset, limit }: ScoresQuery): Promise<ScoresPage | null> {
  const count = await reader.rankings.size(reader.key)
  if (order === 'best') return page(await reader.at(offset, limit), count, offset)
  if (order === 'worst') {
    const end = Math.max(0, count - offset)
    const start = Math.max(0, end - limit)
    const rows = await reader.at(start, end - start)
    // The places were counted from the end: they are others where that has moved meanwhile.
    if ((await reader.rankings.size(reader.key)) !== count) return null
    return page(rows?.reverse() ?? null, count, offset)
  }
  const entries = await reader.find({ index: order, equal: [reader.key], skip: offset, limit })
  return page(await withRanks(reader, entries), count, offset)
}

async function ofPlayer(reader: Reader, player: string, query: ScoresQuery): Promise<ScoresPage | null> {
  const entries = await reader.find({ index: 'player', equal: [player, reader.key], limit: Number.MAX_SAFE_INTEGER })
  const ranked = await withRanks(reader, entries)
  if (ranked === null) return null
  const rows = inOrder(ranked, query.order)
  return page(rows.slice(query.offset, query.offset + query.limit), rows.length, query.offset)
}

/** Windows and filters: ranks are counted among the entries in the window, then filters say which come back. O(n). */
async function narrowed(reader: Reader, query: ScoresQuery, windowed: boolean): Promise<ScoresPage | null> {
  const inside = await insideWindow(reader, query, windowed)
  const ranked = inside.map((entry, i) => ({ entry, rank: i + 1 }))
  const matching = ranked.filter(matches(query))
  if (query.around === null) {
    const rows = inOrder(matching, query.order)
    return page(rows.slice(query.offset, query.offset + query.limit), rows.length, query.offset)
  }
  const own = ranked.find(({ entry }) => entry.player === query.around) ?? null
  if (own === null) return { rows: [], count: matching.length, offset: 0, own: null }
  const before = matching.filter(({ rank }) => rank < own.rank).length
  const offset = centred(before, matching.length, query.limit)
  return { rows: matching.slice(offset, offset + query.limit), count: matching.length, offset, own }
}

/** On a board that is not unique it is what each of its windows is. */
const isBestInside = ({ rules }: Reader, { bestInside }: ScoresQuery): boolean => bestInside && rules.unique

async function insideWindow(reader: Reader, query: ScoresQuery, windowed: boolean): Promise<Entry[]> {
  const { since, until } = query
  if (windowed && isBestInside(reader, query)) return bestInWindow(reader, since, until)
  const all = await everyEntry(reader)
  if (!windowed) return all
  return all.filter(({ updated }) => (since === null || updated >= since) && (until === null || updated < until))
}

function matches({ playerName, minScore, maxScore, player }: ScoresQuery): (ranked: Ranked) => boolean {
  const wanted = playerName === null ? null : foldCase(playerName)
  return ({ entry }) =>
    (player === null || entry.player === player) &&
    (wanted === null || foldCase(entry.name ?? '').includes(wanted)) &&
    (minScore === null || compareDecimals(entry.score, minScore) >= 0) &&
    (maxScore === null || compareDecimals(entry.score, maxScore) <= 0)
}

function page(rows: readonly Ranked[] | null, count: number, offset: number): ScoresPage | null {
  if (rows === null) return null
  // Counted a moment before the rows were read: there are no fewer than these.
  return { rows, count: rows.length === 0 ? count : Math.max(count, offset + rows.length), offset }
}
