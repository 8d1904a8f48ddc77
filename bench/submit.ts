// Submitting a score over HTTP, durably, 64 calls in flight: mostly improvements on a unique board, by 500 signed-in
// players. The limit is Koa echoing JSON of the same size. A second figure leaves the access log out.

import { type Fresh, freshServer } from './fresh.ts'
import { inTurn, type Size } from './measure.ts'
import { type Loader, startLimit, startLoader } from './processes.ts'
import type { BenchRow } from './row.ts'
import { fastEnough } from './verdict.ts'
import { bodyOf, signIn, submitText } from './world.ts'

export const IN_FLIGHT = 64
const PLAYERS = 500
const REQUESTS = 5_000

export async function benchSubmit(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const loader = startLoader()
  const logged = await submitting(loader, {})
  const silent = await submitting(loader, { LOG_LEVEL: 'warn' })
  const limit = await startLimit({ record: await logged.sample() })
  try {
    const costs = await inTurn(size.rounds, {
      limit: () => loader.cost(limit, IN_FLIGHT, logged.requests(requests)),
      logged: () => logged.cost(requests),
      silent: () => silent.cost(requests),
    })
    const what = `submit a score, durable, HTTP, ${IN_FLIGHT} in flight / koa echo`
    return [
      fastEnough({ what, limit: costs.limit, ours: costs.logged }, 0.45),
      fastEnough({ what: `${what}, without the access log`, limit: costs.limit, ours: costs.silent }, 0.45),
    ]
  } finally {
    await Promise.all([limit.stop(), logged.stop(), silent.stop(), loader.stop()])
  }
}

export interface Submitting extends Fresh {
  /** A bearer token for each player. */
  readonly tokens: readonly string[]
  /** So many submissions, each better than any before. */
  requests(count: number): string[]
  cost(count: number): Promise<number>
  /** The body of an answer. */
  sample(): Promise<object>
}

/** A server with players who submit. */
export async function submitting(loader: Loader, env: NodeJS.ProcessEnv): Promise<Submitting> {
  const fresh = await freshServer(env)
  const { server, world } = fresh
  const tokens = await signIn(server.port, world, PLAYERS)
  let score = 100_000
  const requests = (count: number) =>
    Array.from({ length: count }, () => {
      score++
      return submitText(world.board, tokens[score % PLAYERS] ?? '', { score: `${score}.25` })
    })
  return {
    ...fresh,
    tokens,
    requests,
    cost: (count) => loader.cost(server, IN_FLIGHT, requests(count)),
    sample: async () =>
      bodyOf((await loader.load({ port: server.port, connections: 1, requests: requests(1) })).sample),
  }
}
