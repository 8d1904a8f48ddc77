// GET scores that must walk through the entries: filtered by name, or inside a window without an index. Of each entry
// only its sort key is kept, which encodes its rank, time and id. Entries of a page near the start are kept too; others
// are read again.

import { centred } from '../../ranking/centred.ts'
import { sorted } from '../../ranking/sort.ts'
import { idOfSortKey, timeOfSortKey } from '../../ranking/sort-key.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { toCaseless } from '../caseless.ts'
import { risingPages, withRanks } from './board.ts'
import type { Entry, Ranked } from './entry.ts'
import { KnownEntries } from './known-entries.ts'
import { ranksByDocuments } from './plain.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { filterOf, type SortKeyBounds, sortKeyBounds } from './score-bounds.ts'

/** Entries handled between two checks of the clock. */
const RUN = 500
/** Maximum number of scans per read. */
const SCANS_MAX = 3

export interface Matches {
  /** In rank order. */
  readonly sortKeys: readonly string[]
  /** Indexes of those that pass the filters, ascending. */
  readonly matching: Uint32Array<ArrayBuffer>
  /** Some of the matching entries, by sort key, as they were scanned. */
  readonly known: ReadonlyMap<string, Entry>
  /** Reads the entries that are not in `known`; by default the current entries of the leaderboard. */
  readonly entriesOf?: (sortKeys: readonly string[]) => Promise<Entry[]>
}

/** A list of sort keys that all match, without entries. */
export function allMatching(sortKeys: readonly string[]): Matches {
  const matching = new Uint32Array(sortKeys.length)
  for (let at = 0; at < matching.length; at++) matching[at] = at
  return { sortKeys, matching, known: new Map() }
}

/** O(n), in time slices. Throws like the rankings. */
export async function filteredPage(reader: Reader, query: ScoresQuery, slices: TimeSlices): Promise<ScoresPage> {
  const isWindowed = query.since !== null || query.until !== null
  // Ranks inside a window count all of its entries, also those outside the score bounds.
  const bounds = isWindowed ? {} : sortKeyBounds(reader.rules, query)
  const { scanned, first } = await scanWithin(reader, query, slices, bounds)
  if (query.around === null) {
    const found = await pageOfSortKeys(reader, scanned, query, slices)
    return { ...found, rows: found.rows.map(({ entry, rank }) => ({ entry, rank: rank + first })) }
  }
  // A player outside the score bounds still has a rank.
  const isWhole = bounds.from === undefined && bounds.until === undefined
  const own = isWhole ? scanned.own : await ownOf(reader, query.around)
  const found = await pageAround(reader, scanned, { own, limit: query.limit })
  return { ...found, rows: found.rows.map(({ entry, rank }) => ({ entry, rank: rank + first })) }
}

/** A page of matching entries around an entry that need not match itself; no rows if there is no such entry. */
export async function pageAround(
  reader: Reader,
  all: Matches,
  { own, limit }: { readonly own: Ranked | null; readonly limit: number },
): Promise<ScoresPage> {
  const count = all.matching.length
  if (own === null) return { rows: [], count, offset: 0, own: null }
  const offset = centred(countBefore(all, own.entry.member), count, limit)
  const rows = await rowsOf(reader, all, all.matching.subarray(offset, offset + limit))
  return { rows, count, offset, own }
}

/**
 * The entries within bounds, and the number that rank before them. An entry that leaves the bounds upwards during the
 * scan could count as both: then the scan is repeated, at most twice.
 */
async function scanWithin(reader: Reader, query: ScoresQuery, slices: TimeSlices, bounds: SortKeyBounds) {
  const { from } = bounds
  const count = () => (from === undefined ? 0 : reader.rankings.before(reader.key, from))
  let before = await count()
  for (let tried = 1; ; tried++) {
    const scanned = await scan(reader, query, slices, bounds)
    const first = await count()
    if (first === before || tried === SCANS_MAX) return { scanned, first }
    before = first
  }
}

interface Scanned extends Matches {
  /** With `around`: the player's best scanned entry. */
  readonly own: Ranked | null
}

async function scan(reader: Reader, query: ScoresQuery, slices: TimeSlices, bounds: SortKeyBounds): Promise<Scanned> {
  const { since, until, around } = query
  const matches = filterOf(query, toCaseless)
  const rising: string[] = []
  const isMatch: boolean[] = []
  const known = new KnownEntries(query)
  let own: Entry | null = null
  for await (const page of risingPages(reader, slices, bounds)) {
    for (const entry of page) {
      const { member: sortKey, updated } = entry
      if ((since !== null && updated < since) || (until !== null && updated >= until)) continue
      rising.push(sortKey)
      const passes = matches(entry)
      isMatch.push(passes)
      if (entry.player === around) own = entry
      if (passes) known.add(entry)
    }
  }
  const sortKeys: string[] = []
  const matching: number[] = []
  const seen = new Set<string>()
  for (let at = rising.length - 1; at >= 0; at--) {
    if (at % RUN === 0) await slices.yieldIfDue()
    const sortKey = rising[at] as string
    const id = idOfSortKey(sortKey)
    if (seen.has(id)) continue
    seen.add(id)
    if (isMatch[at]) matching.push(sortKeys.length)
    sortKeys.push(sortKey)
  }
  const index = own === null ? -1 : sortKeys.indexOf(own.member)
  const ranked = own === null ? null : { entry: own, rank: index + 1 }
  return { sortKeys, matching: Uint32Array.from(matching), known: known.bySortKey(), own: ranked }
}

async function ownOf(reader: Reader, player: string): Promise<Ranked | null> {
  const best = await reader.bestOf(player)
  if (best === null) return null
  const [own = null] = (await withRanks(reader, [best])) ?? (await ranksByDocuments(reader, [best]))
  return own
}

function countBefore({ sortKeys, matching }: Matches, sortKey: string): number {
  let [low, high] = [0, matching.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sortKeys[matching[middle] as number] as string) < sortKey) low = middle + 1
    else high = middle
  }
  return low
}

/** A page of matching entries in the requested order. Ranks are positions in `sortKeys`, from 1. */
export async function pageOfSortKeys(
  reader: Reader,
  all: Matches,
  { order, offset, limit }: Pick<ScoresQuery, 'order' | 'offset' | 'limit'>,
  slices: TimeSlices,
): Promise<ScoresPage> {
  const { matching } = all
  const count = matching.length
  const ordered = order === 'newest' || order === 'oldest' ? await byTime(all, order, slices) : matching
  const end = order === 'worst' ? count - offset : offset + limit
  const begin = order === 'worst' ? end - limit : offset
  const rows = await rowsOf(reader, all, ordered.subarray(Math.max(0, begin), Math.max(0, end)))
  return { rows: order === 'worst' ? rows.reverse() : rows, count, offset }
}

/** Entries of the same time stay in rank order. */
async function byTime(
  { sortKeys, matching }: Matches,
  order: 'newest' | 'oldest',
  slices: TimeSlices,
): Promise<Uint32Array> {
  const times = new Float64Array(matching.length)
  const sign = order === 'newest' ? -1 : 1
  for (const [at, index] of matching.entries()) {
    times[at] = sign * timeOfSortKey(sortKeys[index] as string)
    if (at % RUN === 0) await slices.yieldIfDue()
  }
  return slices.result(sorted(matching.slice(), times, (a, b) => a - b))
}

/** Leaves out entries that were removed or changed since the scan. */
async function rowsOf(reader: Reader, all: Matches, indexes: Uint32Array): Promise<Ranked[]> {
  const { sortKeys, known, entriesOf = (some) => reader.entriesOf(some) } = all
  const wanted = Array.from(indexes, (index) => ({ sortKey: sortKeys[index] as string, rank: index + 1 }))
  const unknown = wanted.map(({ sortKey }) => sortKey).filter((sortKey) => !known.has(sortKey))
  const read = unknown.length === 0 ? [] : await entriesOf(unknown)
  const found = new Map(read.map((entry) => [entry.member, entry]))
  return wanted.flatMap(({ sortKey, rank }) => {
    const entry = known.get(sortKey) ?? found.get(sortKey)
    return entry === undefined ? [] : [{ entry, rank }]
  })
}
