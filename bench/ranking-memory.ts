// Memory per entry of an in-process ranking, filled in random order. The limit is a score and an id of 8 bytes each.

import { memoryInUse } from './support/memory.ts'
import { emptyRankings, fill, keyOf, MILLION } from './support/ranking-sort-keys.ts'
import type { BenchRow } from './support/row.ts'

const LIMIT_BYTES = 16
const GOAL_BYTES = 64

export async function benchRankingMemory(): Promise<BenchRow[]> {
  const rankings = await emptyRankings()
  const empty = memoryInUse()
  await fill(rankings, keyOf(MILLION), MILLION)
  return [memoryRow((memoryInUse() - empty) / MILLION)]
}

function memoryRow(bytes: number): BenchRow {
  return {
    what: 'memory per ranked entry, in process, 1,000,000 put in random order',
    limit: `${LIMIT_BYTES} bytes`,
    ours: `${bytes.toFixed(1)} bytes`,
    ratio: (bytes / LIMIT_BYTES).toFixed(2),
    goal: `≤ ${GOAL_BYTES} bytes`,
    met: bytes <= GOAL_BYTES,
  }
}
