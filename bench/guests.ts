// Signs in new guests over HTTP, 64 calls in flight: each becomes a player and a session. Beside it, submissions of
// signed-in players.

import { freshServer } from './support/fresh-server.ts'
import { guestsOf } from './support/guests.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'
import { IN_FLIGHT, submitting } from './support/submissions.ts'

const REQUESTS = 2_000
/** Two events and two secrets beside one event. */
const GOAL = 2.5

export async function benchGuests(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const loader = startLoader()
  const submissions = await submitting(loader, {})
  const guests = await guestsOf(await freshServer(), loader)
  try {
    const costs = await inTurn(
      size.rounds,
      { limit: () => submissions.cost(requests), ours: () => guests.cost(requests) },
      SERVER_WARM_UPS,
    )
    return [cheapEnough({ what: `sign in a new guest, HTTP, ${IN_FLIGHT} in flight / submit a score`, ...costs }, GOAL)]
  } finally {
    await Promise.all([guests.stop(), submissions.stop(), loader.stop()])
  }
}
