// How the entries of a closed season differ from those at its closing, whatever was hidden or deleted since. The present
// ranking has the entries that are shown now; the one at closing also has those that are hidden or deleted since
// (absent), and not those that were hidden then (added).

import { type Position, unsafeCast } from '../../domain/event.ts'
import { FIRST_NUMBERING } from '../../domain/season-records.ts'
import { absentFrom, addedTo, seasonKey } from '../../ranking/key.ts'
import { type LRUCache, lruOfSize } from '../../runtime/lru.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { Document, Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import { type Heavy, unqueued } from '../work-queue.ts'

const ALL = Number.MAX_SAFE_INTEGER
/** Differences between two cached sort keys. */
const STEP = 200
/** Cached rankings and sort keys in total: those of ten million differences, or 50,000 seasons, some 10 MB. */
const MAX_CACHED_STEPS = 50_000
/** Differences that are counted outside the queue of long reads: less than a millisecond with an embedded store. */
const COUNTED_AT_ONCE = 5_000

/** How the entries of a season differ from those at its closing. Equal ones: no entry was changed in between. */
export interface Differences {
  /** The position of the newest event that hid, showed or deleted an entry since; null: there was none. */
  readonly changedAt: Position | null
  /** How many are hidden or deleted since. */
  readonly absent: number
  /** How many are shown that were hidden then. */
  readonly added: number
  /** If left out, those before a sort key are counted from the first on. */
  readonly steps?: Readonly<Record<'absent' | 'added', Steps>>
  /** That of the ranking which has them. */
  readonly version?: number
}

/** Sort keys of differences: `steps[i]` has (i + 1) * `STEP` - 1 before it. */
export type Steps = readonly string[]

// One event may change many entries in several writes: the counts tell these apart.
export const areSame = (a: Differences, b: Differences): boolean =>
  a.changedAt === b.changedAt && a.absent === b.absent && a.added === b.added

/** A ranking of a closed season: of its entries or of its players. */
export interface ClosedRanking {
  readonly deps: QueryDeps
  readonly board: string
  readonly season: number
  /** Of the ranking. */
  readonly key: string
  /**
   * As `RankedPages.version`, if the rankings are an index of the documents: entries of a closed season begin or cease
   * to differ only together with their ranking.
   */
  readonly version?: () => number | null
}

/** O(differences), in the index of the store. */
export async function differencesOf(of: ClosedRanking): Promise<Differences> {
  const { views } = of.deps
  const changedAt = await newestChange(of)
  if (changedAt === null) return UNCHANGED
  const [absent, added] = await Promise.all([
    views.count({ ...differing(of, absentFrom), limit: ALL }),
    views.count({ ...differing(of, addedTo), limit: ALL }),
  ])
  return { changedAt, absent, added }
}

/** The differences of rankings as they were last read; for pages of their entries. */
export type DifferencesCache = LRUCache<string, Differences>

export const createDifferencesCache = (): DifferencesCache =>
  lruOfSize(MAX_CACHED_STEPS, ({ steps }) => 1 + (steps?.absent.length ?? 0) + (steps?.added.length ?? 0))

/** Whether the ranking still has these differences. Without a read; false if it has no versions. */
export const isCurrent = ({ version }: ClosedRanking, differences: Differences): boolean =>
  differences.version !== undefined && differences.version === version?.()

interface DifferencesReads {
  /** Up to where the documents are complete. */
  readonly reached: () => Promise<Position | null>
  readonly heavy: Heavy
}

/**
 * As `differencesOf`, with steps. If they are cached, and no entry was changed since: at once for a ranking with
 * versions, else by two counts. Otherwise O(differences), and very many are counted by `heavy`.
 */
export function cachedDifferences(
  cache: DifferencesCache,
  of: ClosedRanking,
  reads: DifferencesReads,
): Differences | Promise<Differences> {
  const cached = cache.get(cacheKey(of))
  if (cached !== undefined && isCurrent(of, cached)) return cached
  // A ranking without entries has no version.
  const version = of.version?.() ?? null
  return version === null ? byNewestChange(cache, of, reads) : byVersion(cache, of, version, reads)
}

async function byVersion(
  cache: DifferencesCache,
  of: ClosedRanking,
  version: number,
  { heavy }: DifferencesReads,
): Promise<Differences> {
  const found = await countedInSteps(of, await newestChange(of), heavy)
  if (of.version?.() !== version) return found
  const current = { ...found, version }
  cache.set(cacheKey(of), current)
  return current
}

async function byNewestChange(
  cache: DifferencesCache,
  of: ClosedRanking,
  { reached, heavy }: DifferencesReads,
): Promise<Differences> {
  const key = cacheKey(of)
  const cached = cache.get(key)
  if (cached !== undefined && (await isNewestChange(of, cached.changedAt))) return cached
  const changedAt = await newestChange(of)
  // The views were dropped.
  if (changedAt === null) cache.delete(key)
  // Of the newest event only a part may be written. No other event has its position.
  const isWhole = changedAt !== null && ((await reached()) ?? '') >= changedAt
  const found = await countedInSteps(of, changedAt, heavy)
  if (isWhole && (await newestChange(of)) === changedAt) cache.set(key, found)
  return found
}

const UNCHANGED: Differences = { changedAt: null, absent: 0, added: 0 }

export const cacheKey = ({ deps, key }: ClosedRanking): string => `${deps.viewKey('entries')} ${key}`

/** Two counts cost less than a document. */
async function isNewestChange(of: ClosedRanking, changedAt: Position | null): Promise<boolean> {
  if (changedAt === null) return false
  const changed = { ...changesOf(of, 'changed'), limit: 1 }
  const [since, later] = await Promise.all([
    of.deps.views.count({ ...changed, from: changedAt }),
    of.deps.views.count({ ...changed, after: changedAt }),
  ])
  return since > 0 && later === 0
}

async function newestChange(of: ClosedRanking): Promise<Position | null> {
  const [newest] = await of.deps.views.find({ ...changesOf(of, 'changed'), reverse: true, limit: 1 })
  return unsafeCast<Position | null>(newest?.body.changedAt ?? null)
}

async function countedInSteps(of: ClosedRanking, changedAt: Position | null, heavy: Heavy): Promise<Differences> {
  if (changedAt === null) return UNCHANGED
  const { views } = of.deps
  const [absent, added] = await Promise.all(
    [absentFrom, addedTo].map((as) => views.count({ ...differing(of, as), limit: COUNTED_AT_ONCE })),
  )
  const areFew = Math.max(absent ?? 0, added ?? 0) < COUNTED_AT_ONCE
  return (areFew ? unqueued : heavy)(async (slices) => {
    const ofAbsent = await stepsThrough(of, absentFrom, slices)
    const ofAdded = await stepsThrough(of, addedTo, slices)
    const steps = { absent: ofAbsent.steps, added: ofAdded.steps }
    return { changedAt, absent: ofAbsent.count, added: ofAdded.count, steps }
  })
}

async function stepsThrough(of: ClosedRanking, as: (ranking: string) => string, slices: TimeSlices) {
  const { views } = of.deps
  const query = differing(of, as)
  const steps: string[] = []
  for (let after = {}; ; ) {
    const [next]: Document[] = await views.find({ ...query, ...after, skip: STEP - 1, limit: 1 })
    if (next === undefined) {
      return { steps, count: steps.length * STEP + (await views.count({ ...query, ...after, limit: STEP })) }
    }
    const sortKey = String(next.body.differsKey)
    steps.push(sortKey)
    after = { after: sortKey }
    await slices.yieldIfDue()
  }
}

/** Differences of one kind. */
export interface Kind {
  readonly as: (ranking: string) => string
  readonly steps: Steps
}

/** How many are before a sort key. O(`STEP`), or O(differences before it) without steps. */
export async function countBefore(of: ClosedRanking, { as, steps }: Kind, sortKey: string): Promise<number> {
  const passed = stepsBefore(steps, sortKey)
  const after = steps[passed - 1]
  const bounds = after === undefined ? {} : { after }
  const left = await of.deps.views.count({ ...differing(of, as), ...bounds, until: sortKey, limit: ALL })
  return passed * STEP + left
}

/** How many steps are before a sort key. */
export function stepsBefore(steps: Steps, sortKey: string): number {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((steps[middle] as string) < sortKey) low = middle + 1
    else high = middle
  }
  return low
}

/** All entries of the season that were changed since, by an index. */
function changesOf({ deps, board, season }: ClosedRanking, index: 'differing' | 'changed'): Omit<Find, 'limit'> {
  const equal = [seasonKey(board, FIRST_NUMBERING, season)]
  return { view: deps.viewKey('entries'), collection: 'entries', index, equal }
}

/** Those that differ in one way, in rank order. */
export function differing(of: ClosedRanking, as: (ranking: string) => string): Omit<Find, 'limit'> {
  const query = changesOf(of, 'differing')
  return { ...query, equal: [...query.equal, as(of.key)] }
}
