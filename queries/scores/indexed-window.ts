// GET scores inside a window, on a board with a window index: ranks come from the index, rows from the documents, and
// an answer is given only if both agree.

import { idOfMember } from '../../ranking/member.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { Heavy } from '../work-queue.ts'
import { bestInside } from './best-inside.ts'
import { entriesByTime, isFarByTime } from './by-time.ts'
import { firstEntries } from './entries-of-player.ts'
import type { Entry } from './entry.ts'
import { type IndexedPage, type Inside, isSetInside, ranksInside, rowsInside } from './inside.ts'
import type { Order } from './order.ts'
import { aroundInWindow, longPlayerPage, playerInWindow } from './player-in-window.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
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
  const best = query.bestInside && unique ? { since: query.since, until: query.until, rules: reader.rules } : null
  if (best !== null && isByTime(query)) {
    windows.counted('by_time')
    return null
  }
  const { board, game, generation, key } = reader
  const insideNow = async (): Promise<Inside | null> => {
    const index = await windows.of({ board, game, generation, unique, key, best })
    if (index === null) return null
    return best === null ? entriesSetInside(reader, query, index) : bestInside(reader, windows, best, index)
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
    entriesOf: (members) => entriesOf(reader, members),
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

async function entriesOf(reader: Reader, members: readonly string[]): Promise<Entry[] | null> {
  const { key, rules } = reader
  const found = rules.unique
    ? await reader.find({ index: 'rank', equal: [key], among: members, limit: members.length })
    : await reader.get(members.map((member) => reader.documentFor('', idOfMember(member))))
  const areSame = found.length === members.length && found.every((entry, i) => entry.member === members[i])
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
