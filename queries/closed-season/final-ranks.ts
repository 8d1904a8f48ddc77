// The rank that each entry of a closed season had at the closing: its present rank, with the differences before it.

import { absentFrom, addedTo } from '../../ranking/key.ts'
import { type LRUCache, lruOfSize } from '../../runtime/lru.ts'
import type { Entry, Ranked } from '../scores/entry.ts'
import {
  type ClosedRanking,
  cacheKey,
  countBefore,
  type Differences,
  differing,
  isCurrent,
  type Kind,
  stepsBefore,
} from './differences.ts'

/** Rows with cached ranks at closing, in total, of some 200 bytes each. */
const MAX_CACHED_RANKS = 20_000
/** Most differences between the rows of a page that are read at once; of more, those between two rows are counted. */
const READ_AT_ONCE = 100

/** The ranks at closing of the rows of pages. */
export type FinalRanksCache = LRUCache<string, RanksOfPage>

interface RanksOfPage {
  /** Of the ranking. */
  readonly version: number
  readonly sortKeys: readonly string[]
  readonly ranks: FinalRanks
}

/** Null for an entry that was hidden at the closing. */
type FinalRanks = readonly (number | null)[]

export const createFinalRanksCache = (): FinalRanksCache =>
  lruOfSize(MAX_CACHED_RANKS, ({ sortKeys }) => 1 + sortKeys.length)

/**
 * As `finalRanks`, of adjacent rows from a rank on, of a ranking with versions. At once if they are cached. Null if the
 * ranking has another version than the differences, or gets one meanwhile.
 */
export function cachedFinalRanks(
  pages: FinalRanksCache,
  of: ClosedRanking,
  {
    sortKeys,
    offset,
    differences,
  }: { readonly sortKeys: readonly string[]; readonly offset: number; readonly differences: Differences },
): FinalRanks | null | Promise<FinalRanks | null> {
  const { version } = differences
  if (version === undefined || !isCurrent(of, differences)) return null
  const key = `${cacheKey(of)} ${sortKeys.length} ${sortKeys[0]}`
  const known = pages.get(key)
  if (known?.version === version && known.sortKeys.every((sortKey, at) => sortKey === sortKeys[at])) return known.ranks
  const rows = sortKeys.map((member, at) => ({ entry: { member }, rank: offset + at + 1 }))
  return finalRanks(of, rows, differences).then((ranks) => {
    if (!isCurrent(of, differences)) return null
    pages.set(key, { version, sortKeys, ranks })
    return ranks
  })
}

/**
 * The ranks at closing of rows of the present ranking, in their order; null for an entry that was hidden then. A few
 * reads, or a few for each row if many differences are between the rows; each is O(`STEP`) if the differences have
 * steps.
 */
export async function finalRanks(
  of: ClosedRanking,
  rows: readonly RankedKey[],
  { absent, added, steps }: Differences,
): Promise<(number | null)[]> {
  const sortKeys = rows.map(({ entry }) => entry.member).sort()
  const [absentBefore, addedBefore] = await Promise.all([
    absent === 0 ? NONE_BEFORE : differencesBefore(of, { as: absentFrom, steps: steps?.absent ?? [] }, sortKeys),
    added === 0 ? NONE_BEFORE : differencesBefore(of, { as: addedTo, steps: steps?.added ?? [] }, sortKeys),
  ])
  return rows.map(({ entry: { member }, rank }) => {
    if (addedBefore.own.has(member)) return null
    return rank + (absentBefore.counts.get(member) ?? 0) - (addedBefore.counts.get(member) ?? 0)
  })
}

type RankedKey = Pick<Ranked, 'rank'> & { readonly entry: Pick<Entry, 'member'> }

/** By the sort keys of a page: how many differences are before each, and which are one themselves. */
interface DifferencesBefore {
  readonly counts: ReadonlyMap<string, number>
  readonly own: ReadonlySet<string>
}

const NONE_BEFORE: DifferencesBefore = { counts: new Map(), own: new Set() }

/** `sortKeys`: ascending. */
async function differencesBefore(
  of: ClosedRanking,
  kind: Kind,
  sortKeys: readonly string[],
): Promise<DifferencesBefore> {
  const { views } = of.deps
  const [first, last] = [sortKeys[0], sortKeys.at(-1)]
  if (first === undefined || last === undefined) return NONE_BEFORE
  const query = differing(of, kind.as)
  const areMany = stepsBefore(kind.steps, last) - stepsBefore(kind.steps, first) > 1
  if (areMany) return countedEach(of, kind, sortKeys)
  const [before, within] = await Promise.all([
    countBefore(of, kind, first),
    // A sort key is printable ASCII: nothing is between the last one and this.
    views.find({ ...query, from: first, until: `${last} `, limit: READ_AT_ONCE + 1 }),
  ])
  const keys = within.map(({ body }) => String(body.differsKey))
  if (keys.length > READ_AT_ONCE) return countedEach(of, kind, sortKeys)
  const counts = new Map<string, number>()
  let at = 0
  for (const sortKey of sortKeys) {
    while (at < keys.length && (keys[at] as string) < sortKey) at++
    counts.set(sortKey, before + at)
  }
  return { counts, own: new Set(keys) }
}

/** One count for each sort key. */
async function countedEach(of: ClosedRanking, kind: Kind, sortKeys: readonly string[]): Promise<DifferencesBefore> {
  const [own, counts] = await Promise.all([
    of.deps.views.find({ ...differing(of, kind.as), among: sortKeys, limit: sortKeys.length }),
    Promise.all(sortKeys.map(async (sortKey) => [sortKey, await countBefore(of, kind, sortKey)] as const)),
  ])
  return { counts: new Map(counts), own: new Set(own.map(({ body }) => String(body.differsKey))) }
}
