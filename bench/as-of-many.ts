// Past boards with many callers: callers of one instant share a fold, and concurrent instants stay within a memory
// bound. Also measures the cost of a first answer as the board grows.

import { largeBoard } from './support/large-board.ts'
import { cpuSecondsOf, percentile } from './support/measure.ts'
import { beginHighest, residentBytes } from './support/memory.ts'
import { type Server, startOurs } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'
import { call, handshake } from './support/test-game.ts'

const CALLERS = 64
const PING_EVERY_MS = 5
const INSTANTS = 4
/** Maximum cost of all callers of one instant, relative to one first answer. */
const MAX_SHARED = 1.5
const MAX_PING_MS = 50
/** Maximum memory: cached past boards (PAST_LIMITS), one running fold, and uncollected garbage. */
const MAX_GROWTH_MIB = 512
const MIB = 2 ** 20
const SIZES = [1_000, 10_000, 100_000]
/** Maximum cost per submission on the largest board, relative to the board before. */
const MAX_GROWTH = 2

/** `list`: path of a page; `firstS`: processor seconds of a first answer. */
export async function manyRows(ours: Server, list: string, token: string, firstS: number): Promise<BenchRow[]> {
  const get = (asOf: number) => {
    const at = new Date(asOf).toISOString()
    return call<{ readonly count: number }>(ours.port, 'GET', `${list}&as_of=${at}`, { token })
  }
  const instant = Date.now() - 1_000
  const pings = pinging(() => call(ours.port, 'GET', list, { token }))
  const sharedS = await used(ours, () => Promise.all(Array.from({ length: CALLERS }, () => get(instant))))
  const waits = await pings.end()
  const longest = Math.max(...waits)
  beginHighest(ours.pid)
  const before = residentBytes(ours.pid)
  const began = performance.now()
  const instants = Array.from({ length: INSTANTS }, (_, n) => instant - 1_000 * (n + 1))
  await Promise.all(instants.map(get))
  const tookS = (performance.now() - began) / 1_000
  const growth = (residentBytes(ours.pid, true) - before) / MIB
  return [
    {
      what: 'as_of, a first answer: longest that a live page took meanwhile',
      limit: '',
      ours: `${longest.toFixed(1)} ms`,
      ratio: `p99 ${percentile(waits, 0.99).toFixed(1)} ms`,
      goal: `≤ ${MAX_PING_MS} ms`,
      met: longest <= MAX_PING_MS,
    },
    {
      what: `as_of, ${CALLERS} at once of one instant / one`,
      limit: `${firstS.toFixed(2)} cpu s`,
      ours: `${sharedS.toFixed(2)} cpu s`,
      ratio: (sharedS / firstS).toFixed(2),
      goal: `≤ ${MAX_SHARED}`,
      met: sharedS <= firstS * MAX_SHARED,
    },
    {
      what: `as_of, ${INSTANTS} first answers at once: memory beyond ${Math.round(before / MIB)} MiB`,
      limit: `all after ${tookS.toFixed(1)} s`,
      ours: `${growth.toFixed(0)} MiB`,
      ratio: '',
      goal: `≤ ${MAX_GROWTH_MIB} MiB`,
      met: growth <= MAX_GROWTH_MIB,
    },
  ]
}

/** Processor time of a first answer per submission, on boards of increasing size. */
export async function growthRow(entries: number, usedS: number): Promise<BenchRow> {
  const costs: { readonly size: number; readonly eachUs: number }[] = []
  for (const size of SIZES.filter((one) => one < entries))
    costs.push({ size, eachUs: ((await firstOf(size)) / size) * 1e6 })
  costs.push({ size: entries, eachUs: (usedS / entries) * 1e6 })
  const [largest, before] = [costs.at(-1), costs.at(-2)]
  const ratio = (largest?.eachUs ?? 0) / (before?.eachUs ?? Number.NaN)
  return {
    what: `as_of, first answer, µs a submission, boards of ${costs.map(({ size }) => size.toLocaleString('en')).join(' / ')}`,
    limit: '',
    ours: costs.map(({ eachUs }) => eachUs.toFixed(1)).join(' / '),
    ratio: ratio.toFixed(2),
    goal: `≤ ${MAX_GROWTH}`,
    met: ratio <= MAX_GROWTH,
  }
}

async function firstOf(entries: number): Promise<number> {
  const { dataDir, world } = await largeBoard(entries)
  const ours = await startOurs(dataDir)
  try {
    const token = await handshake(ours.port, world.key)
    const list = `/api/lb/${world.board}/score/?limit=20`
    await call(ours.port, 'GET', list, { token })
    // Small boards take less than a clock tick, so use many instants.
    const times = Math.max(1, Math.ceil((SIZES[2] as number) / entries))
    const now = Date.now()
    const readAll = async () => {
      for (let n = 1; n <= times; n++) {
        await call(ours.port, 'GET', `${list}&as_of=${new Date(now - n).toISOString()}`, { token })
      }
    }
    return (await used(ours, readAll)) / times
  } finally {
    await ours.stop()
  }
}

async function used({ pid }: Server, work: () => Promise<unknown>): Promise<number> {
  const before = cpuSecondsOf(pid)
  await work()
  return cpuSecondsOf(pid) - before
}

/**
 * Measures the latency of other calls while something runs: sequential calls with pauses. `end` returns their durations
 * in milliseconds.
 */
function pinging(one: () => Promise<unknown>): { end(): Promise<readonly number[]> } {
  let isOver = false
  const waits: number[] = []
  const running = (async () => {
    while (!isOver) {
      const began = performance.now()
      await one()
      waits.push(performance.now() - began)
      await new Promise((next) => setTimeout(next, PING_EVERY_MS))
    }
  })()
  return {
    end: async () => {
      isOver = true
      await running
      return waits
    },
  }
}
