// Submits scores of a tenant in calls of 100, beside single calls of the same players, durably over HTTP, on
// EventStoreDB, MongoDB and Redis. Counts only our processes: API and projector in one, and the API process where the
// projector is apart.

import { freshApart, freshServer } from './support/fresh-server.ts'
import { IN_A_CALL, manySubmissionsOf } from './support/many-submissions.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { startServers } from './support/servers.ts'

const CALLS = 40
const GOAL = 6

export async function benchStoresBulk(size: Size): Promise<BenchRow[]> {
  const calls = size.quick ? CALLS / 2 : CALLS
  const servers = [await startServers(), await startServers()] as const
  const loader = startLoader()
  try {
    const fresh = [await freshServer(servers[0].environment), await freshApart(servers[1].environment)] as const
    try {
      const together = await manySubmissionsOf(fresh[0], loader)
      const apart = await manySubmissionsOf(fresh[1], loader)
      const costs = await inTurn(
        size.rounds,
        {
          single: () => together.single(calls),
          many: () => together.many(calls),
          apartSingle: () => apart.single(calls),
          apartMany: () => apart.many(calls),
        },
        SERVER_WARM_UPS,
      )
      const what = `submissions in calls of ${IN_A_CALL} / in single calls, on three servers, durable, HTTP`
      return [
        fastEnough({ what: `${what}, with the projector`, limit: costs.single, ours: costs.many }, GOAL),
        fastEnough({ what: `${what}, API process alone`, limit: costs.apartSingle, ours: costs.apartMany }, GOAL),
      ]
    } finally {
      await Promise.all(fresh.map((one) => one.stop()))
    }
  } finally {
    await loader.stop()
    for (const one of servers) await one.stop()
  }
}
