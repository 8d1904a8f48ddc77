// The ranks that the entries of a closed season had at its closing. The ranking has the entries that are shown now; the
// rank at closing also counts those that are hidden or gone since, and not those that were hidden then.

import { absentFrom, lateIn, seasonKey } from '../ranking/key.ts'
import type { Find } from '../stores/contract/views.ts'
import type { QueryDeps } from './deps.ts'
import type { Ranked } from './scores/entry.ts'

const ALL = Number.MAX_SAFE_INTEGER

/** How the entries of a season differ from its standing. */
export interface Differences {
  /** How many are hidden or gone since. */
  readonly absent: number
  /** How many are shown that were hidden then. */
  readonly late: number
}

const NONE: Differences = { absent: 0, late: 0 }

export interface RankingOfSeason {
  readonly deps: QueryDeps
  readonly board: string
  readonly season: number
  /** Of the ranking. */
  readonly key: string
}

export async function differencesOf({ deps, board, season, key }: RankingOfSeason): Promise<Differences> {
  const of = differing(deps, board, season)
  // Most closed seasons have none: one read finds that.
  const ofSeason = { ...of(''), equal: [seasonKey(board, season)] }
  if ((await deps.views.count({ ...ofSeason, limit: 1 })) === 0) return NONE
  const [absent, late] = await Promise.all([
    deps.views.count({ ...of(absentFrom(key)), limit: ALL }),
    deps.views.count({ ...of(lateIn(key)), limit: ALL }),
  ])
  return { absent, late }
}

/** In the order of the rows; null for an entry that was hidden. O(rows × differences), in the index of the store. */
export async function finalRanks(
  { deps, board, season, key }: RankingOfSeason,
  rows: readonly Ranked[],
  { absent, late }: Differences,
): Promise<(number | null)[]> {
  if (absent + late === 0) return rows.map(({ rank }) => rank)
  const of = differing(deps, board, season)
  const sortKeys = rows.map(({ entry }) => entry.member)
  const lateOnes = late === 0 ? [] : await deps.views.find({ ...of(lateIn(key)), among: sortKeys, limit: rows.length })
  const wereHidden = new Set(lateOnes.map(({ body }) => body.differsKey))
  const before = (as: string, until: string) => deps.views.count({ ...of(as), until, limit: ALL })
  return Promise.all(
    rows.map(async ({ entry: { member }, rank }) => {
      if (wereHidden.has(member)) return null
      const counts = [before(absentFrom(key), member), before(lateIn(key), member)]
      const [goneBefore = 0, lateBefore = 0] = await Promise.all(counts)
      return rank + goneBefore - lateBefore
    }),
  )
}

/** The documents that differ in one way, in rank order. */
export function differing({ viewKey }: Pick<QueryDeps, 'viewKey'>, board: string, season: number) {
  const view = viewKey('entries')
  const query = { view, collection: 'entries', index: 'differing' }
  return (as: string): Omit<Find, 'limit'> => ({ ...query, equal: [seasonKey(board, season), as] })
}
