// Entries that stand out: they changed in the last 24 hours, and are better than the median of their leaderboard by
// more than six median absolute deviations.

import { decimalOfUnits, inUnits } from '../../domain/decimal.ts'
import { boundOfScore, scoresOfSortKey, timeOfSortKey } from '../../ranking/sort-key.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { QueryDeps } from '../deps.ts'
import type { Board } from '../leaderboard.ts'
import { agreed, refuseWhereLost, withRanks } from '../scores/board.ts'
import { BoardReader } from '../scores/board-reader.ts'
import { ranksByDocuments } from '../scores/plain.ts'
import { type EntryOnBoard, shownBoards } from './firsts.ts'
import { type Spread, spreadOf } from './spread.ts'

const MADS = 6n
const BOARDS = 20
const CHANGED_WITHIN_MS = 86_400_000
/** Sort keys that are read at once: less than a millisecond with a store in this process. */
const PAGE = 1_000
/** The most sort keys of a leaderboard that are looked through, best first. */
const LOOKED_THROUGH = 50_000

export interface UnusualEntry extends EntryOnBoard {
  readonly reason: string
}

/** At most `limit`, farthest from the median first. `ids`: leaderboards, the most active first. */
export async function unusualOf(
  deps: QueryDeps,
  ids: readonly string[],
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
  slices: TimeSlices,
): Promise<readonly UnusualEntry[]> {
  const sinceMs = nowMs - CHANGED_WITHIN_MS
  const boards = await mostActiveShown(deps, ids)
  const found = await Promise.all(boards.map((board) => unusualOn(deps, board, { sinceMs, limit }, slices)))
  return found
    .flat()
    .sort((a, b) => b.distance - a.distance)
    .slice(0, limit)
    .map(({ distance: _, ...entry }) => entry)
}

async function mostActiveShown(deps: QueryDeps, ids: readonly string[]): Promise<readonly Board[]> {
  const found: Board[] = []
  for (let from = 0; from < ids.length && found.length < BOARDS; from += BOARDS) {
    found.push(...(await shownBoards(deps, ids.slice(from, from + BOARDS))))
  }
  return found.slice(0, BOARDS)
}

interface Distant extends UnusualEntry {
  /** From the median, in median absolute deviations. */
  readonly distance: number
}

async function unusualOn(
  deps: QueryDeps,
  board: Board,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
  slices: TimeSlices,
): Promise<readonly Distant[]> {
  const reader = new BoardReader(deps, board)
  const spread = await spreadOn(reader).catch(refuseWhereLost)
  if (spread === null || spread.fourMads === 0n) return []
  const sortKeys = await changedBeyond(reader, spread, { sinceMs, limit }, slices).catch(refuseWhereLost)
  if (sortKeys.length === 0) return []
  const read = () => reader.entriesOf(sortKeys)
  const ranked = await agreed(
    async () => withRanks(reader, await read()),
    async () => ranksByDocuments(reader, await read()),
  )
  const median = decimalOfUnits(rankValueOf(reader, spread.twiceMedian) / 2n)
  return ranked.map((row) => {
    const distance = distanceOf(rankValueOf(reader, inUnits(row.entry.score)), spread)
    const reason = `Better than the median (${median}) by ${distance.toFixed(1)} median absolute deviations.`
    return { ...row, board, distance, reason }
  })
}

/** Units of 10^-18 as values of which the smaller one ranks higher, and back. */
const rankValueOf = ({ rules }: BoardReader, units: bigint): bigint => (rules.ordering === 'asc' ? units : -units)

/** Null for a leaderboard without entries, and where it lost some meanwhile. */
async function spreadOn(reader: BoardReader): Promise<Spread | null> {
  const { rankings, key, rules } = reader
  const size = await rankings.size(key)
  if (size === 0) return null
  const known = new Map<number, bigint>()
  let isShorter = false
  const spread = await spreadOf(size, async (index) => {
    const before = known.get(index)
    if (before !== undefined) return before
    const [sortKey] = await rankings.range(key, index, 1)
    if (sortKey === undefined) isShorter = true
    const value = sortKey === undefined ? 0n : rankValueOf(reader, inUnits(scoresOfSortKey(sortKey, rules).score))
    known.set(index, value)
    return value
  })
  return isShorter ? null : spread
}

/** The sort keys beyond the distance, best first, of entries that changed since an instant: at most `limit`. */
async function changedBeyond(
  reader: BoardReader,
  { twiceMedian, fourMads }: Spread,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
  slices: TimeSlices,
): Promise<readonly string[]> {
  const { rankings, key, rules } = reader
  // 4 × value < 2 × twiceMedian − 6 × fourMads, for whole units.
  const bound = rankValueOf(reader, ceilOfQuarter(2n * twiceMedian - MADS * fourMads))
  const end = await rankings.before(key, boundOfScore(decimalOfUnits(bound), rules.ordering, false))
  const found: string[] = []
  for (let from = 0; from < Math.min(end, LOOKED_THROUGH); from += PAGE) {
    const page = await rankings.range(key, from, Math.min(PAGE, end - from))
    for (const sortKey of page) if (timeOfSortKey(sortKey) >= sinceMs) found.push(sortKey)
    if (found.length >= limit || page.length === 0) break
    await slices.yieldIfDue()
  }
  return found.slice(0, limit)
}

/** The least whole number that is not less than a quarter of the value. */
function ceilOfQuarter(value: bigint): bigint {
  const quarter = value / 4n
  return value > 0n && value % 4n !== 0n ? quarter + 1n : quarter
}

function distanceOf(value: bigint, { twiceMedian, fourMads }: Spread): number {
  const fourTimes = 2n * twiceMedian - 4n * value
  return Number((fourTimes * 1_000n) / fourMads) / 1_000
}
