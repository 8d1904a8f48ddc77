// Mixed load on a board of 100,000 entries: 20 % submissions, 32 connections. Prints refusals, which must be none, and
// the peak of the resident set meanwhile.

import { type BoardLoad, withBoardLoad } from './support/board-load.ts'
import type { Size } from './support/measure.ts'
import { percentile } from './support/measure.ts'
import { beginHighest, residentBytes } from './support/memory.ts'
import { type Loader, startLoader } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'

const ENTRIES = 100_000
const CONNECTIONS = 32
const REQUESTS = 33_000
const MIB = 1_048_576
const MAX_MIB = 300

export async function benchMixed({ quick }: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const requests = quick ? REQUESTS / 3 : REQUESTS
  try {
    return await withBoardLoad({ entries: ENTRIES }, (board) => measured(board, loader, requests))
  } finally {
    await loader.stop()
  }
}

async function measured({ server, mixed }: BoardLoad, loader: Loader, count: number): Promise<BenchRow[]> {
  const { port, pid } = server
  beginHighest(pid)
  const requests = mixed(count)
  const { refused, refusal, latenciesMs, ms } = await loader.tried({ port, connections: CONNECTIONS, requests })
  const mib = residentBytes(pid, true) / MIB
  const what = `mixed load, ${ENTRIES.toLocaleString('en')} entries, 20 % submissions`
  const p99 = `p99 ${percentile(latenciesMs, 0.99).toFixed(1)} ms, ${Math.round((requests.length * 1_000) / ms)} /s`
  return [
    {
      what: `${what}: refused (${p99})`,
      limit: '0',
      ours: refusal === null ? '0' : `${refused} of ${requests.length}: ${refusal.slice(0, 100)}`,
      ratio: '',
      goal: '0',
      met: refused === 0,
    },
    {
      what: `${what}: peak of the resident set`,
      limit: `${MAX_MIB} MiB`,
      ours: `${mib.toFixed(0)} MiB`,
      ratio: (mib / MAX_MIB).toFixed(3),
      goal: '≤ 1',
      met: mib <= MAX_MIB,
    },
  ]
}
