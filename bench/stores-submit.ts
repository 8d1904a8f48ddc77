// Submits scores durably over HTTP, 64 calls in flight, on EventStoreDB, MongoDB and Redis. Counts only our processes:
// API and projector in one, and the API process where the projector is apart. The limit is Koa, as for the embedded
// stores.

import { freshApart } from './support/fresh-server.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLimit, startLoader } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { startServers } from './support/servers.ts'
import { IN_FLIGHT, submitting, submittingTo } from './support/submissions.ts'

const REQUESTS = 4_000
const GOAL_WITH_PROJECTOR = 0.2
const GOAL_OF_API = 0.3

export async function benchStoresSubmit(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const servers = [await startServers(), await startServers()] as const
  const loader = startLoader()
  try {
    const together = await submitting(loader, servers[0].environment)
    const apart = await submittingTo(await freshApart(servers[1].environment), loader)
    const limit = await startLimit({ record: await together.sample() })
    try {
      const costs = await inTurn(
        size.rounds,
        {
          limit: () => loader.cost(limit, IN_FLIGHT, together.requests(requests)),
          together: () => together.cost(requests),
          apart: () => apart.cost(requests),
        },
        SERVER_WARM_UPS,
      )
      const what = `submit a score, on three servers, HTTP, ${IN_FLIGHT} in flight / koa echo`
      return [
        fastEnough({ what: `${what}, with the projector`, ...costs, ours: costs.together }, GOAL_WITH_PROJECTOR),
        fastEnough({ what: `${what}, API process alone`, ...costs, ours: costs.apart }, GOAL_OF_API),
      ]
    } finally {
      await Promise.all([limit.stop(), together.stop(), apart.stop()])
    }
  } finally {
    await loader.stop()
    for (const one of servers) await one.stop()
  }
}
