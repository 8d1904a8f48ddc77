// GET scores of one player, or around one, inside an indexed window. A plain read returns the first of a player's
// entries. If these do not suffice the answer is 'long', and `longPlayerPage` reads all of them in pages, in the work
// queue.

import { centred } from '../../ranking/centred.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { playerPages } from './entries-of-player.ts'
import type { Entry } from './entry.ts'
import { allMatching, pageOfMembers } from './filtered-page.ts'
import { type IndexedPage, type Inside, isSetInside, ranksInside, rowsInside } from './inside.ts'
import { inOrder } from './order.ts'
import type { ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

export async function playerInWindow(inside: Inside, player: string, query: ScoresQuery): Promise<IndexedPage> {
  const { entries, isAll } = await inside.entriesOfPlayer(player)
  if (!isAll) return 'long'
  const ranked = ranksInside(inside, entries)
  if (ranked === null) return 'moving'
  const { offset, limit } = query
  return { rows: inOrder(ranked, query.order).slice(offset, offset + limit), count: ranked.length, offset }
}

export async function aroundInWindow(inside: Inside, player: string, limit: number): Promise<IndexedPage> {
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
export function longPlayerPage(reader: Reader, query: ScoresQuery, read: LongRead): Promise<IndexedPage> {
  return query.around === null ? longPlayer(reader, query, read) : longAround(reader, query, read)
}

/** The index is read last: it then has every entry that was read and still exists. */
async function longPlayer(reader: Reader, query: ScoresQuery, { slices, insideNow }: LongRead): Promise<IndexedPage> {
  const members: string[] = []
  for await (const page of playerPages(reader, query.player ?? '', slices)) {
    for (const entry of page) if (isSetInside(entry, query)) members.push(entry.member)
  }
  const { rows, ...page } = await pageOfMembers(reader, allMatching(members), query, slices)
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
