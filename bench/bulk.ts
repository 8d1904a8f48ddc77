// Submits scores of a tenant in calls of 100, beside single calls of the same players, durably over HTTP.

import { bulkOf, IN_A_CALL } from './support/bulk.ts'
import { freshServer } from './support/fresh-server.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'

const CALLS = 50

export async function benchBulk(size: Size): Promise<BenchRow[]> {
  const calls = size.quick ? CALLS / 2 : CALLS
  const loader = startLoader()
  const fresh = await freshServer()
  try {
    const bulk = await bulkOf(fresh, loader)
    const costs = await inTurn(
      size.rounds,
      { single: () => bulk.single(calls), many: () => bulk.many(calls) },
      SERVER_WARM_UPS,
    )
    const what = `submissions in calls of ${IN_A_CALL} / in single calls, durable, HTTP`
    return [fastEnough({ what, limit: costs.single, ours: costs.many }, 4)]
  } finally {
    await Promise.all([fresh.stop(), loader.stop()])
  }
}
