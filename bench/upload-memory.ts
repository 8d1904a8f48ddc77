// Memory per upload of 200 concurrent uploads: the increase of the server's peak resident set, divided by their number.

import { openBucket } from './support/bucket.ts'
import { freshServer } from './support/fresh-server.ts'
import type { Size } from './support/measure.ts'
import { beginHighest, residentBytes } from './support/memory.ts'
import { startLoader } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'

const UPLOADS = 200
const MIB = 1_048_576
const SIZE = 8 * MIB
const GOAL_MIB = 2

export async function benchUploadMemory(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const fresh = await freshServer()
  const { port, pid } = fresh.server
  try {
    const { puts } = await openBucket(fresh, loader)
    const requests = await puts(size.quick ? UPLOADS : 2 * UPLOADS, SIZE)
    beginHighest(pid)
    const before = residentBytes(pid)
    await loader.load({ port, connections: UPLOADS, requests, bodyBytes: SIZE })
    const mib = (residentBytes(pid, true) - before) / UPLOADS / MIB
    const what = `memory of an upload of ${SIZE / MIB} MiB, ${UPLOADS} at once`
    const ratio = (mib / GOAL_MIB).toFixed(3)
    return [{ what, limit: `${GOAL_MIB} MiB`, ours: `${mib.toFixed(2)} MiB`, ratio, goal: '≤ 1', met: mib <= GOAL_MIB }]
  } finally {
    await Promise.all([fresh.stop(), loader.stop()])
  }
}
