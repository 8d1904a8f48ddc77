// GET scores inside a window, on a board with a window index: ranks come from the index, rows from the documents, and
// an answer is given only if both agree.

import { centred } from '../../ranking/centred.ts'
import { idOfSortKey } from '../../ranking/sort-key.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { IndexedWindows, SubmissionWindow } from '../windows/indexed.ts'
import type { Heavy } from '../work-queue.ts'
import { entriesByTime, isFarByTime } from './by-time.ts'
import { firstEntries, playerPages } from './entries-of-player.ts'
import { type Entry, inWindow, sentIn } from './entry.ts'
import { allMatching, pageOfSortKeys } from './filtered-page.ts'
import { type IndexedPage, type Inside, isSetInside, ranksInside, rowsInside } from './inside.ts'
import { inOrder, type Order, type ScoresPage, type ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

const TRIES = 5

/**
 * Returns null if the window must be counted: there is no index, or it does not agree with the documents after several
 * attempts. `heavy` runs reads through many entries of one player.
 */
export async function indexedWindow(reader: Reader, query: ScoresQuery, heavy: Heavy): Promise<ScoresPage | null> {
  const { windows } = reader.deps
  if (windows === undefined) return null
  const { unique } = reader.rules
  const window = query.shownInside && unique ? { since: query.since, until: query.until, rules: reader.rules } : null
  if (window !== null && isByTime(query)) {
    windows.counted('by_time')
    return null
  }
  const { board, game, generation, key } = reader
  const insideNow = async (): Promise<Inside | null> => {
    const index = await windows.of({ board, game, generation, unique, key, window })
    if (index === null) return null
    return window === null ? entriesSetInside(reader, query, index) : entriesShownInside(reader, windows, window, index)
  }
  let found = await tries(async () => {
    const inside = await insideNow()
    return inside === null ? 'unindexed' : pageOf(inside, query)
  })
  if (found === 'long') {
    const long = (slices: TimeSlices) =>
      isByTime(query) ? farByTime(query, slices, insideNow) : longPlayerPage(reader, query, { slices, insideNow })
    found = await heavy((slices) => tries(() => long(slices)))
  }
  if (found === 'moving') windows.counted('moving')
  return typeof found === 'string' ? null : found
}

/** Retries until index and documents agree, at most 5 times. */
async function tries(attempt: () => Promise<IndexedPage>): Promise<IndexedPage> {
  for (let tried = 0; tried < TRIES; tried++) {
    const found = await attempt()
    if (found !== 'moving') return found
    await yieldToEventLoop()
  }
  return 'moving'
}

/** The window of entries that were set inside it. */
function entriesSetInside(reader: Reader, query: ScoresQuery, index: WindowIndex): Inside {
  return {
    ...{ reader, index },
    since: query.since === null ? Number.NEGATIVE_INFINITY : Date.parse(query.since),
    until: query.until === null ? Number.POSITIVE_INFINITY : Date.parse(query.until),
    entriesOf: (sortKeys) => entriesOf(reader, sortKeys),
    entriesOfPlayer: async (player) => {
      const { entries, isAll } = await firstEntries(reader, player)
      return { entries: entries.filter((entry) => isSetInside(entry, query)), isAll }
    },
  }
}

const isByTime = ({ order, player, around }: ScoresQuery): boolean =>
  player === null && around === null && (order === 'newest' || order === 'oldest')

async function pageOf(inside: Inside, query: ScoresQuery): Promise<IndexedPage> {
  if (query.around !== null) return aroundInWindow(inside, query.around, query.limit)
  if (query.player !== null) return playerInWindow(inside, query.player, query)
  const isByRank = query.order === 'best' || query.order === 'worst'
  if (!isByRank && isFarByTime(inside.reader, query)) return 'long'
  return (await (isByRank ? byRank : byTime)(inside, query.order, query)) ?? 'moving'
}

async function byRank(inside: Inside, order: Order, { offset, limit }: ScoresQuery): Promise<ScoresPage | null> {
  const { index, since, until } = inside
  const count = index.size(since, until)
  const end = order === 'best' ? Math.min(count, offset + limit) : Math.max(0, count - offset)
  const start = order === 'best' ? Math.min(count, offset) : Math.max(0, end - limit)
  const rows = await rowsInside(inside, start, end - start)
  if (rows === null) return null
  return { rows: order === 'best' ? rows : rows.reverse(), count, offset }
}

async function entriesOf(reader: Reader, sortKeys: readonly string[]): Promise<Entry[] | null> {
  const { key, rules } = reader
  const found = rules.unique
    ? await reader.find({ index: 'rank', equal: [key], among: sortKeys, limit: sortKeys.length })
    : await reader.get(sortKeys.map((sortKey) => reader.documentFor('', idOfSortKey(sortKey))))
  const areSame = found.length === sortKeys.length && found.every((entry, i) => entry.member === sortKeys[i])
  return areSame ? found : null
}

async function byTime(inside: Inside, order: Order, query: ScoresQuery): Promise<ScoresPage | null> {
  const { reader, index, since, until } = inside
  const { offset, limit } = query
  const find = { index: order, equal: [reader.key], skip: offset, limit }
  const rows = ranksInside(
    inside,
    await reader.find({ ...find, ...(order === 'oldest' ? ascending : descending)(query) }),
  )
  return rows === null ? null : { rows, count: index.size(since, until), offset }
}

/**
 * A list by time with a large offset, in time slices. The index is read last, so that it has every entry that was read.
 */
async function farByTime(
  query: ScoresQuery,
  slices: TimeSlices,
  insideNow: () => Promise<Inside | null>,
): Promise<IndexedPage> {
  const before = await insideNow()
  if (before === null) return 'unindexed'
  const { offset, limit } = query
  const order = query.order === 'oldest' ? 'oldest' : 'newest'
  const bounds = (order === 'oldest' ? ascending : descending)(query)
  const isInRange = before.index.isMoving || offset < before.index.size(before.since, before.until)
  const entries = isInRange ? await entriesByTime(before.reader, { order, offset, limit, bounds }, slices) : []
  const inside = await insideNow()
  if (inside === null) return 'unindexed'
  const rows = ranksInside(inside, entries)
  const count = inside.index.size(inside.since, inside.until)
  return rows === null || (!isInRange && offset < count) ? 'moving' : { rows, count, offset }
}

const ascending = ({ since, until }: ScoresQuery) => ({
  ...(since !== null && { from: since }),
  ...(until !== null && { until }),
})

const descending = ({ since, until }: ScoresQuery) => ({
  ...(until !== null && { after: until }),
  ...(since !== null && { until: justBefore(since) }),
})

/** For descending order: the exclusive end is one millisecond before the inclusive start. */
const justBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString()

// The rows of `window=best` on a unique board that has a window index: each player's entry as their submissions inside
// the window show it.

/** Maximum entries read per id: an id may belong to one entry in each generation. */
const MAX_GENERATIONS = 1_000

/** The index contains only players with a submission inside the window. */
function entriesShownInside(
  reader: Reader,
  windows: IndexedWindows,
  window: SubmissionWindow,
  index: WindowIndex,
): Inside {
  const { board } = reader
  const insideOf = async (entries: readonly Entry[]): Promise<Entry[]> => {
    const shown = await Promise.all(entries.map(({ player }) => windows.shownOf({ board, window }, player)))
    const names = await reader.names(entries.map(({ player }) => player))
    return entries.flatMap((entry, i) => {
      const own = shown[i] ?? null
      if (own === null) return []
      return [inWindow(entry, own.values, sentIn(own.event), names[i] ?? null, window.rules)]
    })
  }
  return {
    ...{ reader, index, since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
    async entriesOf(sortKeys) {
      const ids = sortKeys.map(idOfSortKey)
      const limit = ids.length * MAX_GENERATIONS
      const found = await reader.find({ index: 'lookup', equal: [], among: ids, limit })
      const byId = new Map(found.filter(({ ranking }) => ranking === reader.key).map((entry) => [entry.id, entry]))
      const inside = await insideOf(ids.flatMap((id) => byId.get(id) ?? []))
      const areSame =
        inside.length === sortKeys.length && inside.every(({ member: sortKey }, i) => sortKey === sortKeys[i])
      return areSame ? inside : null
    },
    async entriesOfPlayer(player) {
      const entry = await reader.bestOf(player)
      return { entries: entry === null ? [] : await insideOf([entry]), isAll: true }
    },
  }
}

// GET scores of one player, or around one, inside an indexed window. A plain read returns the first of a player's
// entries. If these do not suffice the answer is 'long', and `longPlayerPage` reads all of them in pages, in the work
// queue.

async function playerInWindow(inside: Inside, player: string, query: ScoresQuery): Promise<IndexedPage> {
  const { entries, isAll } = await inside.entriesOfPlayer(player)
  if (!isAll) return 'long'
  const ranked = ranksInside(inside, entries)
  if (ranked === null) return 'moving'
  const { offset, limit } = query
  return { rows: inOrder(ranked, query.order).slice(offset, offset + limit), count: ranked.length, offset }
}

async function aroundInWindow(inside: Inside, player: string, limit: number): Promise<IndexedPage> {
  const { entries, isAll } = await inside.entriesOfPlayer(player)
  const [best = null] = entries
  return best === null && !isAll ? 'long' : pageAround(inside, best, limit)
}

async function pageAround(inside: Inside, best: Entry | null, limit: number): Promise<IndexedPage> {
  const { index, since, until } = inside
  const ranked = ranksInside(inside, best === null ? [] : [best])
  if (ranked === null) return 'moving'
  const count = index.size(since, until)
  const [own] = ranked
  if (own === undefined) return { rows: [], count, offset: 0, own: null }
  const offset = centred(own.rank - 1, count, limit)
  const rows = await rowsInside(inside, offset, Math.min(limit, count))
  return rows === null ? 'moving' : { rows, count, offset, own }
}

interface LongRead {
  readonly slices: TimeSlices
  /** The window index, at least as current as the documents are when it is called. */
  insideNow(): Promise<Inside | null>
}

/** Either of the two for a player with many entries. O(their number), in time slices. */
function longPlayerPage(reader: Reader, query: ScoresQuery, read: LongRead): Promise<IndexedPage> {
  return query.around === null ? longPlayer(reader, query, read) : longAround(reader, query, read)
}

/** The index is read last: it then has every entry that was read and still exists. */
async function longPlayer(reader: Reader, query: ScoresQuery, { slices, insideNow }: LongRead): Promise<IndexedPage> {
  const sortKeys: string[] = []
  for await (const page of playerPages(reader, query.player ?? '', slices)) {
    for (const entry of page) if (isSetInside(entry, query)) sortKeys.push(entry.member)
  }
  const { rows, ...page } = await pageOfSortKeys(reader, allMatching(sortKeys), query, slices)
  const inside = await insideNow()
  if (inside === null) return 'unindexed'
  const ranked = ranksInside(
    inside,
    rows.map(({ entry }) => entry),
  )
  return ranked === null ? 'moving' : { ...page, rows: ranked }
}

async function longAround(reader: Reader, query: ScoresQuery, { slices, insideNow }: LongRead): Promise<IndexedPage> {
  const best = await bestSetInside(reader, query, slices)
  const inside = await insideNow()
  return inside === null ? 'unindexed' : pageAround(inside, best, query.limit)
}

/** Stops at the first page that has one. */
async function bestSetInside(reader: Reader, query: ScoresQuery, slices: TimeSlices): Promise<Entry | null> {
  for await (const page of playerPages(reader, query.around ?? '', slices)) {
    const best = page.find((entry) => isSetInside(entry, query))
    if (best !== undefined) return best
  }
  return null
}
