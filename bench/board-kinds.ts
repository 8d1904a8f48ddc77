// Submits to boards that show each player's total or their latest submission, or that have seasons, beside one that
// shows their best. Each submission changes the entry on all of them.

import { freshServer } from './support/fresh-server.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'
import { submittingTo } from './support/submissions.ts'
import { endingInHalfADay } from './support/test-game.ts'

const REQUESTS = 5_000

export async function benchBoardKinds(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const loader = startLoader()
  const best = await submittingTo(await freshServer(), loader)
  const latest = await submittingTo(await freshServer({}, undefined, { keep: 'latest' }), loader)
  const total = await submittingTo(await freshServer({}, undefined, { keep: 'total' }), loader)
  const seasons = await submittingTo(await freshServer({}, undefined, { seasons: endingInHalfADay() }), loader)
  try {
    const costs = await inTurn(
      size.rounds,
      {
        best: () => best.cost(requests),
        latest: () => latest.cost(requests),
        total: () => total.cost(requests),
        seasons: () => seasons.cost(requests),
      },
      SERVER_WARM_UPS,
    )
    return [
      cheapEnough({ what: 'submit to a board of totals / of bests', limit: costs.best, ours: costs.total }, 1.1),
      cheapEnough({ what: 'submit to a board of the latest / of bests', limit: costs.best, ours: costs.latest }, 1.1),
      cheapEnough({ what: 'submit to a board with seasons / without', limit: costs.best, ours: costs.seasons }, 1.25),
    ]
  } finally {
    await Promise.all([best.stop(), latest.stop(), total.stop(), seasons.stop(), loader.stop()])
  }
}
