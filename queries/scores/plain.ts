// Pages of a board by rank or by time, and around a player, also within score bounds: a search in the ranking, then one
// in the documents. If the two do not agree after several attempts, the documents alone are read.

import { centred } from '../../ranking/centred.ts'
import type { Find } from '../../stores/contract/views.ts'
import { withRanks } from './board.ts'
import type { Entry, Ranked } from './entry.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { isInside, rankRange, type SortKeyBounds, sortKeyBounds } from './score-bounds.ts'

/** Null if ranking and documents do not agree. O(log n + limit); by time O(offset + limit). */
export async function plainPage(reader: Reader, query: ScoresQuery): Promise<ScoresPage | null> {
  const bounds = sortKeyBounds(reader.rules, query)
  if (query.around !== null) return aroundPage(reader, query.around, query.limit, bounds)
  if (query.order === 'best' || query.order === 'worst') return pageByRank(reader, query, bounds)
  const { order, offset, limit } = query
  const count = await reader.rankings.size(reader.key)
  const entries = await reader.find({ index: order, equal: [reader.key], skip: offset, limit })
  return page(await withRanks(reader, entries), count, offset)
}

async function pageByRank(reader: Reader, query: ScoresQuery, bounds: SortKeyBounds): Promise<ScoresPage | null> {
  const { order, offset, limit } = query
  const { first, end } = await rankRange(reader, bounds)
  const count = end - first
  if (order === 'best') {
    const isOpen = bounds.until === undefined
    const rows = await reader.at(first + offset, isOpen ? limit : Math.max(0, Math.min(limit, count - offset)))
    if (rows === null || !areInside(rows, bounds)) return null
    return page(rows, count, offset)
  }
  const behind = Math.max(first, end - offset)
  const start = Math.max(first, behind - limit)
  const rows = await reader.at(start, behind - start)
  // The ranks were counted from the end: they are wrong if the end has moved.
  if (rows === null || !areInside(rows, bounds) || (await rankRange(reader, bounds)).end !== end) return null
  return page(rows.reverse(), count, offset)
}

/** The page is centred on the player's rank, even if their score is outside the bounds. */
async function aroundPage(
  reader: Reader,
  player: string,
  limit: number,
  bounds: SortKeyBounds,
): Promise<ScoresPage | null> {
  if (bounds.from === undefined && bounds.until === undefined) return reader.around(player, limit)
  const best = await reader.bestOf(player)
  const { first, end } = await rankRange(reader, bounds)
  const count = end - first
  if (best === null) return { rows: [], count, offset: 0, own: null }
  const [own] = (await withRanks(reader, [best])) ?? []
  if (own === undefined) return null
  const offset = centred(clamped(own.rank - 1 - first, count), count, limit)
  const rows = await reader.at(first + offset, Math.min(limit, count))
  return rows === null || !areInside(rows, bounds) ? null : { rows, count, offset, own }
}

const clamped = (index: number, count: number): number => Math.max(0, Math.min(index, count))

const areInside = (rows: readonly Ranked[], bounds: SortKeyBounds): boolean =>
  rows.every(({ entry }) => isInside(entry.member, bounds))

export function page(rows: readonly Ranked[] | null, count: number, offset: number): ScoresPage | null {
  if (rows === null) return null
  // The count was read before the rows: there are at least as many entries as rows.
  return { rows, count: rows.length === 0 ? count : Math.max(count, offset + rows.length), offset }
}

/**
 * The same from the documents alone, which are one consistent state of the board. O(n) in the store's index: only for
 * the rare page whose ranking stays ahead of its documents.
 */
export async function byDocuments(reader: Reader, query: ScoresQuery): Promise<ScoresPage> {
  const bounds = sortKeyBounds(reader.rules, query)
  if (query.around !== null) return aroundByDocuments(reader, query.around, query.limit, bounds)
  const { order, offset, limit } = query
  const find = { equal: [reader.key], skip: offset, limit }
  if (order === 'newest' || order === 'oldest') {
    const [entries, count] = await Promise.all([reader.find({ ...find, index: order }), countDocuments(reader, {})])
    return { rows: await ranksByDocuments(reader, entries), count, offset }
  }
  const isReverse = order === 'worst'
  const [entries, first, count] = await Promise.all([
    reader.find({ ...find, index: 'rank', ...bounds, reverse: isReverse }),
    indexByDocuments(reader, bounds.from),
    countDocuments(reader, bounds),
  ])
  const rankOf = (i: number) => (isReverse ? first + count - offset - i : first + offset + i + 1)
  const rows = entries.map((entry, i) => ({ entry, rank: rankOf(i) }))
  return { rows, count: Math.max(count, rows.length === 0 ? 0 : offset + rows.length), offset }
}

async function aroundByDocuments(
  reader: Reader,
  player: string,
  limit: number,
  bounds: SortKeyBounds,
): Promise<ScoresPage> {
  const best = await reader.bestOf(player)
  const [first, count] = await Promise.all([indexByDocuments(reader, bounds.from), countDocuments(reader, bounds)])
  if (best === null) return { rows: [], count, offset: 0, own: null }
  const index = await indexByDocuments(reader, best.member)
  const offset = centred(clamped(index - first, count), count, limit)
  const find = { index: 'rank', equal: [reader.key], ...bounds, skip: offset, limit }
  const entries = await reader.find(find)
  const rows = entries.map((entry, i) => ({ entry, rank: first + offset + i + 1 }))
  return { rows, count: Math.max(count, offset + rows.length), offset, own: { entry: best, rank: index + 1 } }
}

/**
 * Each entry's rank: from the ranking, or from the documents if the ranking has another sort key for the entry by now.
 */
export async function ranksByDocuments(reader: Reader, entries: readonly Entry[]): Promise<Ranked[]> {
  const indexes = await reader.rankings.ranks(
    reader.key,
    entries.map(({ member: sortKey }) => sortKey),
  )
  return Promise.all(
    entries.map(async (entry, i) => ({
      entry,
      rank: (indexes[i] ?? (await indexByDocuments(reader, entry.member))) + 1,
    })),
  )
}

const indexByDocuments = (reader: Reader, sortKey: string | undefined): Promise<number> | number =>
  sortKey === undefined ? 0 : countDocuments(reader, { until: sortKey })

function countDocuments({ deps, key }: Reader, bounds: Pick<Find, 'from' | 'until'>): Promise<number> {
  const find = { view: deps.viewKey('entries'), collection: 'entries', index: 'rank', equal: [key] }
  return deps.views.count({ ...find, ...bounds, limit: Number.MAX_SAFE_INTEGER })
}
