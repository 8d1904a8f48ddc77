// Reads of a leaderboard's ranking and documents until both agree, and through all of its entries.

import { Refusal } from '../../domain/decider.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { RankingsLost } from '../../stores/contract/rankings.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { Entry, Ranked } from './entry.ts'
import type { Reader } from './reader.ts'

const TRIES = 5
/** Entries per read: less than a millisecond with a store in this process. */
const PAGE = 100

/**
 * Runs a read until ranking and documents agree. If they do not within 5 tries, `byDocuments` answers from the
 * documents alone, which are one consistent state, though some milliseconds older than the ranking. Throws 503
 * `rankings_filling` while there are no rankings.
 */
export async function agreed<Result>(
  read: () => Promise<Result | null>,
  byDocuments: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const result = await read().catch(refuseWhereLost)
    if (result !== null) return result
    await yieldToEventLoop()
  }
  return byDocuments().catch(refuseWhereLost)
}

/** Refuses to answer while the rankings are being filled, because answers would be wrong. */
export function refuseWhereLost(error: unknown): never {
  if (!(error instanceof RankingsLost)) throw error
  const detail = 'The rankings are being rebuilt from the recorded entries. Retry in a moment.'
  throw new Refusal('unavailable', 'rankings_filling', detail, { retry_after: 1 })
}

/** Each entry with its rank, or null if one of them is not ranked. O(k log n). */
export async function withRanks(reader: Reader, entries: readonly Entry[]): Promise<Ranked[] | null> {
  const sortKeys = entries.map(({ member: sortKey }) => sortKey)
  const ranks = sortKeys.length === 0 ? [] : await reader.rankings.ranks(reader.key, sortKeys)
  const result: Ranked[] = []
  for (const [i, entry] of entries.entries()) {
    const index = ranks[i] ?? null
    if (index === null) return null
    result.push({ entry, rank: index + 1 })
  }
  return result
}

/**
 * Pages of every entry that exists throughout the read, from worst to best, between two sort keys. Pages, and in some
 * stores parts of a page, are read at different moments. But an entry can only move up, by a better submission, so in
 * this order it cannot move to where the read has already been. An entry may appear twice: the last appearance counts.
 * O(n).
 */
export async function* risingPages(
  reader: Reader,
  slices: TimeSlices,
  { from, until: end }: Pick<Find, 'from' | 'until'> = {},
): AsyncGenerator<readonly Entry[]> {
  const lower = from === undefined ? {} : { from }
  for (let until = end; ; ) {
    const upper = until === undefined ? {} : { until }
    const bounds = { ...lower, ...upper, reverse: true, limit: PAGE }
    const page = await reader.find({ index: 'rank', equal: [reader.key], ...bounds })
    yield page
    if (page.length < PAGE) return
    until = page.at(-1)?.member
    await slices.yieldIfDue()
  }
}
