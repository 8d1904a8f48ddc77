// Filters of score lists. `min_score` and `max_score` become a range of sort keys, which a search finds without walking
// through entries.

import { compareDecimals, type Decimal } from '../../domain/decimal.ts'
import { boundOfScore, type Orderings } from '../../ranking/sort-key.ts'
import type { Entry } from './entry.ts'
import type { ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

type ScoreLimits = Pick<ScoresQuery, 'minScore' | 'maxScore'>

/** Sort keys from `from` (inclusive) to `until` (exclusive) have scores within the bounds. */
export interface SortKeyBounds {
  readonly from?: string
  readonly until?: string
}

export function sortKeyBounds({ ordering }: Orderings, { minScore, maxScore }: ScoreLimits): SortKeyBounds {
  const [first, last] = ordering === 'asc' ? [minScore, maxScore] : [maxScore, minScore]
  return {
    ...(first !== null && { from: boundOfScore(first, ordering, false) }),
    ...(last !== null && { until: boundOfScore(last, ordering, true) }),
  }
}

/** Ranks from `first` (inclusive) to `end` (exclusive), from 0. */
interface RankRange {
  readonly first: number
  readonly end: number
}

/** O(log n). */
export async function rankRange({ rankings, key }: Reader, { from, until }: SortKeyBounds): Promise<RankRange> {
  // Both calls start before either is awaited: an in-process store answers both at one moment.
  const [first, end] = await Promise.all([
    from === undefined ? 0 : rankings.before(key, from),
    until === undefined ? rankings.size(key) : rankings.before(key, until),
  ])
  return { first, end: Math.max(first, end) }
}

export const isInside = (sortKey: string, { from, until }: SortKeyBounds): boolean =>
  (from === undefined || sortKey >= from) && (until === undefined || sortKey < until)

export function isScoreInside({ score }: { readonly score: Decimal }, { minScore, maxScore }: ScoreLimits): boolean {
  return (
    (minScore === null || compareDecimals(score, minScore) >= 0) &&
    (maxScore === null || compareDecimals(score, maxScore) <= 0)
  )
}

/** Whether a name contains a text; `wanted` must be caseless. */
export const isNameInside = (name: string | null, wanted: string, toCaseless: (text: string) => string): boolean =>
  toCaseless(name ?? '').includes(wanted)

/** Returns whether an entry passes the filters of a query: score bounds, player, and part of the name. */
export function filterOf(query: ScoresQuery, toCaseless: (text: string) => string): (entry: Entry) => boolean {
  const { playerName, player } = query
  const wanted = playerName === null ? null : toCaseless(playerName)
  return (entry) =>
    (player === null || entry.player === player) &&
    isScoreInside(entry, query) &&
    (wanted === null || isNameInside(entry.name, wanted, toCaseless))
}
