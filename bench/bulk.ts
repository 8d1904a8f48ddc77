// Submits scores of a tenant in calls of 100, beside single calls of the same players, durably over HTTP; and reads
// the first page of the leaderboard as a player, alone and beside calls of 500.

import { type Fresh, freshServer } from './support/fresh-server.ts'
import { IN_A_CALL, manySubmissionsOf } from './support/many-submissions.ts'
import { inTurn, percentile, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { type Loader, startLoader } from './support/processes.ts'
import { type BenchRow, cheapEnough, fastEnough } from './support/row.ts'
import { getText, signIn } from './support/test-game.ts'

const CALLS = 50
/** Beside the reads of a player. */
const LARGE = { inACall: 500, inFlight: 4, reads: 2_000 }
/** The p99 of the reads, against that of the same reads alone. */
const READS_MAX = 3

export async function benchBulk(size: Size): Promise<BenchRow[]> {
  const calls = size.quick ? CALLS / 2 : CALLS
  const loader = startLoader()
  const fresh = await freshServer()
  try {
    const submissions = await manySubmissionsOf(fresh, loader)
    const costs = await inTurn(
      size.rounds,
      { single: () => submissions.single(calls), many: () => submissions.many(calls) },
      SERVER_WARM_UPS,
    )
    const what = `submissions in calls of ${IN_A_CALL} / in single calls, durable, HTTP`
    return [
      fastEnough({ what, limit: costs.single, ours: costs.many }, 4),
      await readsBeside(size, fresh, loader, () => submissions.send(LARGE.inACall)),
    ]
  } finally {
    await Promise.all([fresh.stop(), loader.stop()])
  }
}

/** `send`: a call, sent by this process, which has time: the load generator keeps a core busy. */
async function readsBeside(
  size: Size,
  { server, world }: Fresh,
  loader: Loader,
  send: () => Promise<unknown>,
): Promise<BenchRow> {
  const [token = ''] = await signIn(server.port, world, 1)
  const requests = Array.from({ length: size.quick ? LARGE.reads / 4 : LARGE.reads }, () =>
    getText(`/api/lb/${world.board}/score/?limit=20`, token),
  )
  const p99 = async () => {
    const { latenciesMs } = await loader.load({ port: server.port, connections: 1, requests })
    return percentile(latenciesMs, 0.99) / 1_000
  }
  const beside = async () => {
    let isOver = false
    const lane = async () => {
      while (!isOver) await send()
    }
    const reading = p99().finally(() => {
      isOver = true
    })
    const [seconds] = await Promise.all([reading, ...Array.from({ length: LARGE.inFlight }, lane)])
    return seconds
  }
  const costs = await inTurn(size.rounds, { alone: p99, beside })
  const what = `p99 of a player’s top 20 beside calls of ${LARGE.inACall}, ${LARGE.inFlight} in flight / alone`
  return cheapEnough({ what, limit: costs.alone, ours: costs.beside }, READS_MAX)
}
