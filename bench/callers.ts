// The cost of a submission where 100,000 signed-in players submit, each with a token of its own, relative to 1,000
// players: drawn uniformly, 64 calls in flight. It grows with what a server reads again, because its caches do not hold
// all callers. BENCH_MEMORY: the setting MEMORY of both servers.

import { withCallers } from './support/callers.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'
import { IN_FLIGHT } from './support/submissions.ts'

const REQUESTS = 5_000
const FEW = 1_000
const MANY = 100_000
const GOAL = 1.2

export async function benchCallers(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const { BENCH_MEMORY: memory } = process.env
  const env = memory === undefined ? {} : { MEMORY: memory }
  const loader = startLoader()
  try {
    const costs = await withCallers(loader, { callers: FEW, env }, (few) =>
      withCallers(loader, { callers: MANY, env }, (many) =>
        inTurn(
          size.rounds,
          {
            limit: () => loader.cost(few.server, IN_FLIGHT, few.submissions(requests)),
            ours: () => loader.cost(many.server, IN_FLIGHT, many.submissions(requests)),
          },
          SERVER_WARM_UPS,
        ),
      ),
    )
    const what = `submit, ${MANY.toLocaleString('en')} callers / ${FEW.toLocaleString('en')}`
    return [cheapEnough({ what, ...costs }, GOAL)]
  } finally {
    await loader.stop()
  }
}
