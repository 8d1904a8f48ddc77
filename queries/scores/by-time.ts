// Lists by time with a large offset. Most stores skip entries one by one, so the list is walked in steps, each starting
// at the entry that the previous one reached.

import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { Find } from '../../stores/contract/views.ts'
import { withRanks } from './board.ts'
import type { Entry } from './entry.ts'
import { page, ranksByDocuments } from './plain.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

/** Entries skipped per step: some tenths of a millisecond with a store in this process. */
export const SKIP_MAX = 2_000

export interface TimeRange {
  readonly order: 'newest' | 'oldest'
  readonly offset: number
  readonly limit: number
  /** Bounds on times, in the direction of the order. */
  readonly bounds?: Pick<Find, 'from' | 'after' | 'until'>
}

/** Whether a page needs such a walk: false if the reader can find its entries without walking. */
export function isFarByTime(
  { skipsOneByOne }: Reader,
  { order, offset }: Pick<ScoresQuery, 'order' | 'offset'>,
): boolean {
  return skipsOneByOne && (order === 'newest' || order === 'oldest') && offset > SKIP_MAX
}

/** A page of all entries by time. O(offset + limit), in time slices. Throws like the rankings. */
export async function farPage(reader: Reader, query: ScoresQuery, slices: TimeSlices): Promise<ScoresPage> {
  const { offset, limit } = query
  const order = query.order === 'oldest' ? 'oldest' : 'newest'
  const size = await reader.rankings.size(reader.key)
  const entries = offset < size ? await entriesByTime(reader, { order, offset, limit }, slices) : []
  const rows = (await withRanks(reader, entries)) ?? (await ranksByDocuments(reader, entries))
  const count = await reader.rankings.size(reader.key)
  return page(rows, count, offset) ?? { rows, count, offset }
}

/** O(offset + limit), in time slices. Entries that are set meanwhile may shift the page by their number. */
export async function entriesByTime(reader: Reader, range: TimeRange, slices: TimeSlices): Promise<Entry[]> {
  let left = range.offset
  let last: Entry | null = null
  for (; left > SKIP_MAX; left -= SKIP_MAX) {
    const [next]: Entry[] = await entriesAfter(reader, range, last, { skip: SKIP_MAX - 1, limit: 1 })
    if (next === undefined) return []
    last = next
    await slices.yieldIfDue()
  }
  return entriesAfter(reader, range, last, { skip: left, limit: range.limit })
}

/** Entries after a given one, or from the first on: first the others of the same time, then those of other times. */
async function entriesAfter(
  reader: Reader,
  { order, bounds = {} }: TimeRange,
  last: Entry | null,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<Entry[]> {
  const { key, deps } = reader
  if (last === null) return reader.find({ index: order, equal: [key], ...bounds, skip, limit })
  const ofItsTime = { index: order, equal: [key, last.updated], after: last.member }
  const found = await reader.find({ ...ofItsTime, skip, limit })
  if (found.length === limit) return found
  const view = { view: deps.viewKey('entries'), collection: 'entries' }
  const skipped = found.length > 0 ? skip : await deps.views.count({ ...view, ...ofItsTime, limit: skip })
  const { until } = bounds
  const later = { after: last.updated, ...(until !== undefined && { until }) }
  const rest = { skip: skip - skipped, limit: limit - found.length }
  return [...found, ...(await reader.find({ index: order, equal: [key], ...later, ...rest }))]
}
