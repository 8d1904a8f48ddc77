// Submits scores durably over HTTP, 64 calls in flight, on EventStoreDB, MongoDB and Redis. Counts only our process. The limit
// is Koa, as for the embedded stores.

import { inTurn, type Size } from './support/measure.ts'
import { startLimit, startLoader } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { startServers } from './support/servers.ts'
import { IN_FLIGHT, submitting } from './support/submissions.ts'

const REQUESTS = 4_000
const GOAL_WITH_PROJECTOR = 0.2

export async function benchStoresSubmit(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const servers = await startServers()
  const loader = startLoader()
  try {
    const ours = await submitting(loader, servers.environment)
    const limit = await startLimit({ record: await ours.sample() })
    try {
      const costs = await inTurn(size.rounds, {
        limit: () => loader.cost(limit, IN_FLIGHT, ours.requests(requests)),
        ours: () => ours.cost(requests),
      })
      const what = `submit a score, on three servers, HTTP, ${IN_FLIGHT} in flight / koa echo, API and projector in one process`
      return [fastEnough({ what, ...costs }, GOAL_WITH_PROJECTOR)]
    } finally {
      await Promise.all([limit.stop(), ours.stop()])
    }
  } finally {
    await loader.stop()
    await servers.stop()
  }
}
