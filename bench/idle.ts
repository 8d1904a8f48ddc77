// The resident set of an idle server on an empty folder. The limit is a bare Koa, run without a loader of TypeScript.

import { fileURLToPath } from 'node:url'
import { freshServer } from './support/fresh-server.ts'
import { residentBytes } from './support/memory.ts'
import { startPlain, untilIdle } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'

const MIB = 1_048_576
const GOAL = 2
const BARE = fileURLToPath(new URL('./limits/bare-koa.mjs', import.meta.url))

export async function benchIdle(): Promise<BenchRow[]> {
  const [ours, bare] = [await freshServer(), await startPlain(BARE)]
  try {
    await untilIdle(ours.server)
    const [limit, mib] = [bare.pid, ours.server.pid].map((pid) => residentBytes(pid) / MIB) as [number, number]
    return [
      {
        what: 'resident set of an idle server, empty folder / bare koa',
        limit: `${limit.toFixed(0)} MiB`,
        ours: `${mib.toFixed(0)} MiB`,
        ratio: (mib / limit).toFixed(2),
        goal: `≤ ${GOAL}`,
        met: mib <= GOAL * limit,
      },
    ]
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
  }
}
