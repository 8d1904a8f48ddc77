// Ranks inside windows of time on a board of a million entries, some of which were changed and taken away since the board was
// indexed: against a static wavelet matrix that knows neither, and against looking at every entry. Memory, and the longest
// pause while it is indexed from the pages of its ranking, changed, and indexed again, in time slices as the server runs them.

import { parseDecimal } from '../domain/decimal.ts'
import { frozenRanking } from '../queries/windows/build.ts'
import { asChunks } from '../ranking/chunks.ts'
import { encodeMember, timeOfMember } from '../ranking/member.ts'
import { MemberPacker, type PackedMembers } from '../ranking/packed-members.ts'
import { orderTimes, runAll, type SortedTimes } from '../ranking/times.ts'
import { WaveletMatrix } from '../ranking/wavelet-matrix.ts'
import { WindowIndex } from '../ranking/window-index.ts'
import { TimeSlices } from '../scheduling/time-slices.ts'
import type { Rankings } from '../stores/contract/rankings.ts'
import { createRankings } from '../stores/embedded/rankings.ts'
import { inTurn, median, ownCpuSeconds, ratioOf, type Size } from './support/measure.ts'
import { memoryInUse } from './support/memory.ts'
import { type Pauses, watchPauses } from './support/pauses.ts'
import type { BenchRow } from './support/row.ts'

const START = 1_795_244_701_123
const YEAR_MS = 365 * 86_400_000
const SCORES = 1_000_000
/** One of so many entries is taken away, and the next one improved, since they were frozen. */
const TAKEN_PART = 128
const QUERIES = 20_000
/** A full count takes too long for as many. */
const FULL_COUNTS = 20
const GOAL_STATIC = 0.2
const GOAL_FULL = 80
const GOAL_BYTES = 64
const GOAL_PAUSE_MS = 10
const KEY = 'board'
const PAGE = 1_000

interface Query {
  readonly place: number
  readonly member: string
  readonly since: number
  readonly until: number
}

/** All that does not change, of the same entries. */
interface Static {
  readonly members: PackedMembers
  readonly timesByPlace: Float64Array
  readonly times: SortedTimes
  readonly places: WaveletMatrix
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
    static: () => cost(QUERIES, known, ({ place, since, until }) => countStatic(known, place, since, until)),
    ours: () => cost(QUERIES, known, ({ member, since, until }) => index.before(member, since, until)),
    full: () => cost(FULL_COUNTS, known, ({ place, since, until }) => countFull(known, place, since, until)),
  })
  // What the queries left behind is not the index's to collect.
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

function memberOf(n: number, turn = 0): string {
  const mixed = Math.imul(n + turn * 31 + 1, 0x9e3779b1) >>> 0
  const score = parseDecimal(String(mixed % SCORES))
  if (score === null) throw new Error(`entry ${n} has no score`)
  const timeMs = START + Math.floor(((Math.imul(mixed ^ 0x5bd1e995, 0x85ebca6b) >>> 0) / 2 ** 32) * YEAR_MS)
  return encodeMember({ score, secondary: null, timeMs, id: idOf(n) }, { ordering: 'desc', secondaryOrdering: 'desc' })
}

const idOf = (n: number): string =>
  (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(32).padEnd(16, 'k') + n.toString(32).padStart(8, 'a')

/** Packed: a million texts would make each collection of garbage long, which no server has to go through. */
function inOrder(entries: number): PackedMembers {
  const packer = new MemberPacker()
  for (const member of Array.from({ length: entries }, (_, n) => memberOf(n)).sort()) packer.addText(member)
  return runAll(packer.finish()).members
}

/** The ranking that the board has in this process, in which its index is read. */
async function ranked(all: PackedMembers): Promise<Rankings> {
  const rankings = createRankings().of('entries@1', 0)
  const fill = await rankings.beginFill('bench')
  await fill.finish(
    null,
    (async function* () {
      yield { key: KEY, members: pagesOf(all) }
    })(),
  )
  return rankings
}

async function* pagesOf(all: PackedMembers): AsyncIterable<string[]> {
  for (let from = 0; from < all.length; from += PAGE) {
    yield Array.from({ length: Math.min(PAGE, all.length - from) }, (_, at) => all.text(from + at))
  }
}

/** One at a time, as writes come. */
async function change(index: WindowIndex, entries: number): Promise<void> {
  for (let n = 0; n < entries; n += TAKEN_PART) {
    index.set(idOf(n), null)
    if (n + 1 < entries) index.set(idOf(n + 1), memberOf(n + 1, 1))
    await new Promise((next) => setImmediate(next))
  }
}

function staticOf(members: PackedMembers): Static {
  const timesByPlace = Float64Array.from({ length: members.length }, (_, place) => timeOfMember(members.text(place)))
  const { sorted, places } = runAll(orderTimes(asChunks(timesByPlace)))
  return { members, timesByPlace, times: sorted, places: runAll(WaveletMatrix.build(places, members.length)) }
}

const countStatic = ({ times, places }: Static, place: number, since: number, until: number): number =>
  places.count(times.placeOf(since), times.placeOf(until), place)

function countFull({ timesByPlace }: Static, place: number, since: number, until: number): number {
  let count = 0
  for (let at = 0; at < place; at++) {
    const time = timesByPlace[at] as number
    if (time >= since && time < until) count++
  }
  return count
}

/** Seconds a query. Queries are drawn again each time, before the clock runs. */
async function cost(count: number, { members }: Static, ask: (query: Query) => number): Promise<number> {
  const queries = Array.from({ length: count }, (): Query => {
    const place = Math.floor(Math.random() * members.length)
    const [a, b] = [Math.random() * YEAR_MS, Math.random() * YEAR_MS]
    return {
      place,
      member: members.text(place),
      since: START + Math.floor(Math.min(a, b)),
      until: START + Math.ceil(Math.max(a, b)),
    }
  })
  let sum = 0
  const seconds = await ownCpuSeconds(async () => {
    for (const query of queries) sum += ask(query)
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

/** By processor time, as what else the machine does makes a pause on the clock longer. */
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
