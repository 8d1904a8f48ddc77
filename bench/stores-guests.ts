// Signs in new guests over HTTP, 64 calls in flight, on EventStoreDB, MongoDB and Redis. Beside it, submissions of
// signed-in players. Counts only our process.

import { freshServer } from './support/fresh-server.ts'
import { guestsOf } from './support/guests.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'
import { startServers } from './support/servers.ts'
import { IN_FLIGHT, submitting } from './support/submissions.ts'

const REQUESTS = 1_000
const GOAL = 2.5

export async function benchStoresGuests(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const servers = [await startServers(), await startServers()] as const
  const loader = startLoader()
  try {
    const submissions = await submitting(loader, servers[0].environment)
    const guests = await guestsOf(await freshServer(servers[1].environment), loader)
    try {
      const costs = await inTurn(
        size.rounds,
        { limit: () => submissions.cost(requests), ours: () => guests.cost(requests) },
        SERVER_WARM_UPS,
      )
      const what = `sign in a new guest, on three servers, HTTP, ${IN_FLIGHT} in flight / submit a score`
      return [cheapEnough({ what, ...costs }, GOAL)]
    } finally {
      await Promise.all([guests.stop(), submissions.stop()])
    }
  } finally {
    await loader.stop()
    for (const one of servers) await one.stop()
  }
}
