// Ranks inside time windows on a board of a million entries with changes since the board was indexed, against a static
// wavelet matrix and against a full scan. Also measures memory, and the longest pause while the board is indexed,
// changed and indexed again in time slices.

import { parseDecimal } from '../domain/decimal.ts'
import { frozenRanking } from '../queries/windows/windows.ts'
import { asChunks } from '../ranking/chunks.ts'
import { type PackedSortKeys, SortKeyPacker } from '../ranking/packed-sort-keys.ts'
import { encodeSortKey, timeOfSortKey } from '../ranking/sort-key.ts'
import { orderTimes, runAll, type SortedTimes } from '../ranking/times.ts'
import { WaveletMatrix } from '../ranking/wavelet-matrix.ts'
import { WindowIndex } from '../ranking/window-index.ts'
import { TimeSlices } from '../runtime/time-slices.ts'
import type { Rankings } from '../stores/contract/rankings.ts'
import { createRankings } from '../test/memory/rankings-in-process.ts'
import { inTurn, median, ownCpuSeconds, ratioOf, type Size } from './support/measure.ts'
import { memoryInUse } from './support/memory.ts'
import { type Pauses, watchPauses } from './support/pauses.ts'
import type { BenchRow } from './support/row.ts'

const START = 1_795_244_701_123
const YEAR_MS = 365 * 86_400_000
const SCORES = 1_000_000
/** One in this many entries was removed, and the next one improved, since the freeze. */
const TAKEN_PART = 128
const QUERIES = 20_000
/** Fewer queries, because a full scan is slow. */
const FULL_COUNTS = 20
const GOAL_STATIC = 0.2
const GOAL_FULL = 80
const GOAL_BYTES = 64
const GOAL_PAUSE_MS = 10
const KEY = 'board'
const PAGE = 1_000

interface Query {
  readonly rank: number
  readonly sortKey: string
  readonly since: number
  readonly until: number
}

/** The static index of the same entries. */
interface Static {
  readonly sortKeys: PackedSortKeys
  readonly timesByRank: Float64Array
  readonly times: SortedTimes
  readonly indexes: WaveletMatrix
}

export async function benchWindows({ entries, rounds }: Size): Promise<BenchRow[]> {
  const all = inOrder(entries)
  const rankings = await ranked(all)
  const before = memoryInUse()
  const watch = watchPauses()
  const index = new WindowIndex(await frozenRanking(rankings, KEY, new AbortController().signal))
  const building = watch.stop()
  const watchChanges = watchPauses()
  await change(index, entries)
  const changing = watchChanges.stop()
  const bytes = (memoryInUse() - before) / entries
  const known = staticOf(all)
  const costs = await inTurn(rounds, {
    static: () => cost(QUERIES, known, ({ rank, since, until }) => countStatic(known, rank, since, until)),
    ours: () => cost(QUERIES, known, ({ sortKey, since, until }) => index.before(sortKey, since, until)),
    full: () => cost(FULL_COUNTS, known, ({ rank, since, until }) => countFull(known, rank, since, until)),
  })
  // Collect the garbage of the queries before measuring the index.
  memoryInUse()
  const again = watchPauses()
  await new TimeSlices().result(index.refreeze())
  const merging = again.stop()
  const named = entries.toLocaleString('en')
  return [
    row(
      `rank in a window, ${named} entries with changes / static wavelet matrix`,
      costs.static,
      costs.ours,
      GOAL_STATIC,
    ),
    row(`rank in a window, ${named} entries with changes / looking at each`, costs.full, costs.ours, GOAL_FULL),
    memoryRow(bytes, named),
    pauseRow(`longest pause while ${named} entries are indexed`, building),
    pauseRow(`longest pause while ${named} entries change`, changing),
    pauseRow(`longest pause while ${named} entries are indexed again with what changed`, merging),
  ]
}

function sortKeyOf(n: number, turn = 0): string {
  const mixed = Math.imul(n + turn * 31 + 1, 0x9e3779b1) >>> 0
  const score = parseDecimal(String(mixed % SCORES))
  if (score === null) throw new Error(`entry ${n} has no score`)
  const timeMs = START + Math.floor(((Math.imul(mixed ^ 0x5bd1e995, 0x85ebca6b) >>> 0) / 2 ** 32) * YEAR_MS)
  return encodeSortKey({ score, secondary: null, timeMs, id: idOf(n) }, { ordering: 'desc', secondaryOrdering: 'desc' })
}

const idOf = (n: number): string =>
  (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(32).padEnd(16, 'k') + n.toString(32).padStart(8, 'a')

/** Packed, because a million strings would make garbage collection slow, unlike in a server. */
function inOrder(entries: number): PackedSortKeys {
  const packer = new SortKeyPacker()
  for (const sortKey of Array.from({ length: entries }, (_, n) => sortKeyOf(n)).sort()) packer.addText(sortKey)
  return runAll(packer.finish()).sortKeys
}

/** The board's in-process ranking, from which the index is built. */
async function ranked(all: PackedSortKeys): Promise<Rankings> {
  const rankings = createRankings().of('entries@1', 0)
  const fill = await rankings.beginFill('bench')
  await fill.finish(
    null,
    (async function* () {
      yield { key: KEY, sortKeys: pagesOf(all) }
    })(),
  )
  return rankings
}

async function* pagesOf(all: PackedSortKeys): AsyncIterable<string[]> {
  for (let from = 0; from < all.length; from += PAGE) {
    yield Array.from({ length: Math.min(PAGE, all.length - from) }, (_, at) => all.text(from + at))
  }
}

/** Applies changes one at a time, like writes. */
async function change(index: WindowIndex, entries: number): Promise<void> {
  for (let n = 0; n < entries; n += TAKEN_PART) {
    index.set(idOf(n), null)
    if (n + 1 < entries) index.set(idOf(n + 1), sortKeyOf(n + 1, 1))
    await new Promise((next) => setImmediate(next))
  }
}

function staticOf(sortKeys: PackedSortKeys): Static {
  const timesByRank = Float64Array.from({ length: sortKeys.length }, (_, rank) => timeOfSortKey(sortKeys.text(rank)))
  const { sorted, indexes } = runAll(orderTimes(asChunks(timesByRank)))
  return { sortKeys, timesByRank, times: sorted, indexes: runAll(WaveletMatrix.build(indexes, sortKeys.length)) }
}

const countStatic = ({ times, indexes }: Static, rank: number, since: number, until: number): number =>
  indexes.count(times.indexOf(since), times.indexOf(until), rank)

function countFull({ timesByRank }: Static, rank: number, since: number, until: number): number {
  let count = 0
  for (let at = 0; at < rank; at++) {
    const time = timesByRank[at] as number
    if (time >= since && time < until) count++
  }
  return count
}

/** Seconds per query. Draws new queries each time, before the measurement. */
async function cost(count: number, { sortKeys }: Static, answer: (query: Query) => number): Promise<number> {
  const queries = Array.from({ length: count }, (): Query => {
    const rank = Math.floor(Math.random() * sortKeys.length)
    const [a, b] = [Math.random() * YEAR_MS, Math.random() * YEAR_MS]
    return {
      rank,
      sortKey: sortKeys.text(rank),
      since: START + Math.floor(Math.min(a, b)),
      until: START + Math.ceil(Math.max(a, b)),
    }
  })
  let sum = 0
  const seconds = await ownCpuSeconds(async () => {
    for (const query of queries) sum += answer(query)
  })
  if (sum === 0) throw new Error('no window had anything in it')
  return seconds / count
}

const micro = (costs: readonly number[]): string => `${(median(costs) * 1e6).toFixed(2)} µs`

function row(what: string, limit: readonly number[], ours: readonly number[], goal: number): BenchRow {
  const ratio = ratioOf(limit, ours)
  return {
    what,
    limit: micro(limit),
    ours: micro(ours),
    ratio: ratio.toFixed(2),
    goal: `≥ ${goal}`,
    met: ratio >= goal,
  }
}

function memoryRow(bytes: number, named: string): BenchRow {
  return {
    what: `memory per entry of the index of windows, ${named} with changes`,
    limit: `${GOAL_BYTES} bytes`,
    ours: `${bytes.toFixed(1)} bytes`,
    ratio: (bytes / GOAL_BYTES).toFixed(2),
    goal: `≤ ${GOAL_BYTES} bytes`,
    met: bytes <= GOAL_BYTES,
  }
}

/** By processor time, because other load on the machine lengthens pauses by the clock. */
function pauseRow(what: string, { cpuMs, clockMs }: Pauses): BenchRow {
  return {
    what,
    limit: `${GOAL_PAUSE_MS} ms`,
    ours: `${cpuMs.toFixed(1)} ms (clock ${clockMs.toFixed(1)})`,
    ratio: (cpuMs / GOAL_PAUSE_MS).toFixed(2),
    goal: `≤ ${GOAL_PAUSE_MS} ms`,
    met: cpuMs <= GOAL_PAUSE_MS,
  }
}
