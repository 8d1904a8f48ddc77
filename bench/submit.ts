// Submits scores durably over HTTP, 64 calls in flight: mostly improvements on a unique board, by 500 signed-in
// players. The limit is Koa echoing JSON of the same size. A second figure is without the access log.

import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLimit, startLoader } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { IN_FLIGHT, submitting } from './support/submissions.ts'

const REQUESTS = 5_000

export async function benchSubmit(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const loader = startLoader()
  const logged = await submitting(loader, {})
  const silent = await submitting(loader, { LOG_LEVEL: 'warn' })
  const limit = await startLimit({ record: await logged.sample() })
  try {
    const costs = await inTurn(
      size.rounds,
      {
        limit: () => loader.cost(limit, IN_FLIGHT, logged.requests(requests)),
        logged: () => logged.cost(requests),
        silent: () => silent.cost(requests),
      },
      SERVER_WARM_UPS,
    )
    const what = `submit a score, durable, HTTP, ${IN_FLIGHT} in flight / koa echo`
    return [
      fastEnough({ what, limit: costs.limit, ours: costs.logged }, 0.45),
      fastEnough({ what: `${what}, without the access log`, limit: costs.limit, ours: costs.silent }, 0.45),
    ]
  } finally {
    await Promise.all([limit.stop(), logged.stop(), silent.stop(), loader.stop()])
  }
}
