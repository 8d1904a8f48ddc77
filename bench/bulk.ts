// Submits scores of a tenant in calls of 100, beside single calls of the same players, durably over HTTP. Each
// submission is an improvement on a unique board.

import { freshServer } from './support/fresh-server.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { handshake, makePlayers, postText } from './support/test-game.ts'

const PLAYERS = 500
const IN_A_CALL = 100
const CALLS = 50
const SINGLE_IN_FLIGHT = 64
const CALLS_IN_FLIGHT = 2

export async function benchBulk(size: Size): Promise<BenchRow[]> {
  const calls = size.quick ? CALLS / 2 : CALLS
  const loader = startLoader()
  const { server, world, stop } = await freshServer()
  try {
    const token = await handshake(server.port, world.key)
    const players = await makePlayers(server.port, world, token, PLAYERS)
    let score = 100_000
    const next = () => {
      score++
      return { player: players[score % PLAYERS], score: `${score}.25` }
    }
    const single = () => postText(`/api/lb/${world.board}/score/`, token, next())
    const many = () => {
      const submissions = Array.from({ length: IN_A_CALL }, () => ({ leaderboard: world.board, ...next() }))
      return postText(`/api/gm/${world.game}/scores/`, token, { submissions })
    }
    const texts = (count: number, make: () => string) => Array.from({ length: count }, make)
    const costs = await inTurn(
      size.rounds,
      {
        single: () => loader.cost(server, SINGLE_IN_FLIGHT, texts(calls * IN_A_CALL, single)),
        many: async () => (await loader.cost(server, CALLS_IN_FLIGHT, texts(calls, many))) / IN_A_CALL,
      },
      SERVER_WARM_UPS,
    )
    const what = `submissions in calls of ${IN_A_CALL} / in single calls, durable, HTTP`
    return [fastEnough({ what, limit: costs.single, ours: costs.many }, 4)]
  } finally {
    await Promise.all([stop(), loader.stop()])
  }
}
