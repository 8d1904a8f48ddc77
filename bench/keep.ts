// Submits to boards that show each player's total, or their latest submission, beside one that shows their best. Each
// submission changes the entry on all three.

import { freshServer } from './support/fresh-server.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'
import { submittingTo } from './support/submissions.ts'

const REQUESTS = 5_000

export async function benchKeep(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const loader = startLoader()
  const best = await submittingTo(await freshServer(), loader)
  const latest = await submittingTo(await freshServer({}, undefined, { keep: 'latest' }), loader)
  const total = await submittingTo(await freshServer({}, undefined, { keep: 'total' }), loader)
  try {
    const costs = await inTurn(
      size.rounds,
      {
        best: () => best.cost(requests),
        latest: () => latest.cost(requests),
        total: () => total.cost(requests),
      },
      SERVER_WARM_UPS,
    )
    return [
      cheapEnough({ what: 'submit to a board of totals / of bests', limit: costs.best, ours: costs.total }, 1.1),
      cheapEnough({ what: 'submit to a board of the latest / of bests', limit: costs.best, ours: costs.latest }, 1.1),
    ]
  } finally {
    await Promise.all([best.stop(), latest.stop(), total.stop(), loader.stop()])
  }
}
