// The cost of a submission on a large board relative to a board of 1,000 entries: uniformly drawn players of the board,
// submitted with a tenant's key, 64 in flight.

import { withBoardLoad } from './support/board-load.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'

const IN_FLIGHT = 64
const REQUESTS = 4_000
const SMALL = 1_000

export async function benchGrowth(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const loader = startLoader()
  try {
    const costs = await withBoardLoad({ entries: SMALL }, (small) =>
      withBoardLoad({ entries: size.entries }, (large) =>
        inTurn(
          size.rounds,
          {
            small: () => loader.cost(small.server, IN_FLIGHT, small.submissions(requests)),
            large: () => loader.cost(large.server, IN_FLIGHT, large.submissions(requests)),
          },
          SERVER_WARM_UPS,
        ),
      ),
    )
    const what = `submit, board of ${size.entries.toLocaleString('en')} / of ${SMALL.toLocaleString('en')}`
    return [cheapEnough({ what, limit: costs.small, ours: costs.large }, 2)]
  } finally {
    await loader.stop()
  }
}
