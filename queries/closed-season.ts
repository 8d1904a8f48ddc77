// The ranking of a closed season as it was at its closing, whatever was hidden or deleted since: the rank that each
// entry had, and the standing that is recorded. The present ranking has the entries that are shown now; the one at
// closing also has those that are hidden or deleted since (absent), and not those that were hidden then (added).

import type { Rules } from '../domain/board-rules.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { FIRST_NUMBERING, recordOf } from '../domain/season-records.ts'
import { type SeasonStanding, STANDING_FIRST } from '../domain/seasons.ts'
import { absentFrom, addedTo, playersKey, rankingKey, seasonKey } from '../ranking/key.ts'
import { fieldsOfSortKey } from '../ranking/sort-key.ts'
import { type LRUCache, lruOfSize } from '../runtime/lru.ts'
import type { TimeSlices } from '../runtime/time-slices.ts'
import type { Document, Find } from '../stores/contract/views.ts'
import type { QueryDeps } from './deps.ts'
import type { Entry, Ranked } from './scores/entry.ts'
import { readSeasons, seasonsOfBoard } from './seasons.ts'
import { type Heavy, unqueued } from './work-queue.ts'

const ALL = Number.MAX_SAFE_INTEGER
/** Differences between two cached sort keys. */
const STEP = 200
/** Cached rankings and sort keys in total: those of ten million differences, or 50,000 seasons, some 10 MB. */
const MAX_CACHED_STEPS = 50_000
/** Rows with cached ranks at closing, in total, of some 200 bytes each. */
const MAX_CACHED_RANKS = 20_000
/** Differences that are counted outside the queue of long reads: less than a millisecond with an embedded store. */
const COUNTED_AT_ONCE = 5_000
/** Bans and deletions that are applied during a read of a standing are few. */
const TRIES = 20
/** Entries per read. */
const PAGE = 100
/** Most differences between the rows of a page that are read at once; of more, those between two rows are counted. */
const READ_AT_ONCE = 100

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
type Steps = readonly string[]

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
export interface DifferencesCache {
  readonly differences: LRUCache<string, Differences>
  /** The ranks at closing of the rows of pages. */
  readonly pages: LRUCache<string, RanksOfPage>
}

interface RanksOfPage {
  /** Of the ranking. */
  readonly version: number
  readonly sortKeys: readonly string[]
  readonly ranks: FinalRanks
}

/** Null for an entry that was hidden at the closing. */
type FinalRanks = readonly (number | null)[]

export const createDifferencesCache = (): DifferencesCache => ({
  differences: lruOfSize(MAX_CACHED_STEPS, ({ steps }) => 1 + (steps?.absent.length ?? 0) + (steps?.added.length ?? 0)),
  pages: lruOfSize(MAX_CACHED_RANKS, ({ sortKeys }) => 1 + sortKeys.length),
})

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
  { differences: cache }: DifferencesCache,
  of: ClosedRanking,
  reads: DifferencesReads,
): Differences | Promise<Differences> {
  const cached = cache.get(cacheKey(of))
  if (cached !== undefined && isCurrent(of, cached)) return cached
  return of.version === undefined ? byNewestChange(cache, of, reads) : byVersion(cache, of, of.version, reads)
}

async function byVersion(
  cache: DifferencesCache['differences'],
  of: ClosedRanking,
  versionNow: () => number | null,
  { heavy }: DifferencesReads,
): Promise<Differences> {
  const version = versionNow()
  const found = await countedInSteps(of, await newestChange(of), heavy)
  if (version === null || versionNow() !== version) return found
  const current = { ...found, version }
  cache.set(cacheKey(of), current)
  return current
}

async function byNewestChange(
  cache: DifferencesCache['differences'],
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

const cacheKey = ({ deps, key }: ClosedRanking): string => `${deps.viewKey('entries')} ${key}`

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

/**
 * As `finalRanks`, of adjacent rows from a rank on, of a ranking with versions. At once if they are cached. Null if the
 * ranking has another version than the differences, or gets one meanwhile.
 */
export function cachedFinalRanks(
  { pages }: DifferencesCache,
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

/** Differences of one kind. */
interface Kind {
  readonly as: (ranking: string) => string
  readonly steps: Steps
}

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

/** O(`STEP`), or O(differences before it) without steps. */
async function countBefore(of: ClosedRanking, { as, steps }: Kind, sortKey: string): Promise<number> {
  const passed = stepsBefore(steps, sortKey)
  const after = steps[passed - 1]
  const bounds = after === undefined ? {} : { after }
  const left = await of.deps.views.count({ ...differing(of, as), ...bounds, until: sortKey, limit: ALL })
  return passed * STEP + left
}

/** How many steps are before a sort key. */
function stepsBefore(steps: Steps, sortKey: string): number {
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
function differing(of: ClosedRanking, as: (ranking: string) => string): Omit<Find, 'limit'> {
  const query = changesOf(of, 'differing')
  return { ...query, equal: [...query.equal, as(of.key)] }
}

/** An entry at closing. */
interface Placed {
  readonly player: string
  readonly sortKey: string
}

/**
 * What a closed season ended with. Reads documents and not the rankings, which may be of another moment, and repeats
 * that if entries were hidden, shown or deleted meanwhile.
 */
export async function standingAtClosing(
  deps: QueryDeps,
  { board, season }: { readonly board: string; readonly season: number },
): Promise<SeasonStanding> {
  const head = await seasonsOfBoard(deps, board)
  const closed = head && (await readSeasons(deps, board, head, (seasons) => recordOf(seasons, season)?.closed))
  if (closed == null) throw new Error(`season ${season} of ${board} is not closed`)
  const { generation, rules } = closed
  const entries = { deps, board, season, key: rankingKey(board, generation, season) }
  const players = { ...entries, key: playersKey(board, generation, season) }
  for (let attempt = 1; ; attempt++) {
    const before = await differencesOf(entries)
    const size = await sizeAtClosing(entries, before)
    const standing = {
      players: rules.unique ? size : await sizeAtClosing(players, await differencesOf(players)),
      entries: size,
      first: (await firstAtClosing(entries)).map((placed) => scored(placed, rules)),
    }
    if (areSame(before, await differencesOf(entries))) return standing
    if (attempt === TRIES) throw new Error(`the entries of season ${season} of ${board} change too often`)
  }
}

async function sizeAtClosing({ deps, key }: ClosedRanking, { absent, added }: Differences): Promise<number> {
  return (await deps.views.count({ ...ranked(deps, key), limit: ALL })) + absent - added
}

/** At most `STANDING_FIRST`, best first. */
async function firstAtClosing(of: ClosedRanking): Promise<readonly Placed[]> {
  const absent = await of.deps.views.find({ ...differing(of, absentFrom), limit: STANDING_FIRST })
  const all = [...(await firstShown(of)), ...absent.map((one) => placed(one, 'differsKey'))]
  return all.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).slice(0, STANDING_FIRST)
}

/** Those of the best entries that are shown now too. */
async function firstShown({ deps, key }: ClosedRanking): Promise<readonly Placed[]> {
  const found: Placed[] = []
  for (let after: string | null = null; ; ) {
    const page: Document[] = await deps.views.find({
      ...ranked(deps, key),
      ...(after !== null && { after }),
      limit: PAGE,
    })
    found.push(...page.filter(({ body }) => body.hiddenAtClosing !== true).map((one) => placed(one, 'member')))
    if (page.length < PAGE || found.length >= STANDING_FIRST) return found.slice(0, STANDING_FIRST)
    after = String(page.at(-1)?.body.member)
  }
}

const ranked = ({ viewKey }: QueryDeps, key: string): Omit<Find, 'limit'> => ({
  view: viewKey('entries'),
  collection: 'entries',
  index: 'rank',
  equal: [key],
})

const placed = ({ body }: Document, sortKey: 'member' | 'differsKey'): Placed => ({
  player: String(body.player),
  sortKey: String(body[sortKey]),
})

const scored = ({ player, sortKey }: Placed, rules: Rules) => ({
  player,
  score: fieldsOfSortKey(sortKey, rules).score,
})
