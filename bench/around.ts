// A page of 20 entries around a player, over HTTP, on a large board: players drawn uniformly, and a thousand hot ones.
// The limit is Koa sending one such page, always the same, through JSON.stringify.

import { numbers, playerId } from './support/events.ts'
import { largeBoard } from './support/large-board.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLimit, startLoader, startOurs } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { bodyOf, getText, handshake } from './support/test-game.ts'

const IN_FLIGHT = 64
const REQUESTS = 5_000
const HOT_PLAYERS = 1_000
const PAGE = 20

export async function benchAround(size: Size): Promise<BenchRow[]> {
  const { dataDir, world, entries } = await largeBoard(size.entries)
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const loader = startLoader()
  const ours = await startOurs(dataDir)
  const token = await handshake(ours.port, world.key)
  const random = numbers(2)
  const around = (players: number) =>
    Array.from({ length: requests }, () => {
      // Pick every n-th player, so that the hot ones are spread over the board.
      const player = playerId(random(players) * Math.floor(entries / players))
      return getText(`/api/lb/${world.board}/score/?around=${player}&limit=${PAGE}`, token)
    })
  const { sample } = await loader.load({ port: ours.port, connections: 1, requests: around(entries).slice(0, 1) })
  const limit = await startLimit({ page: bodyOf(sample) })
  try {
    const page = Array.from({ length: requests }, () => getText('/', token))
    // Warm up the caches with the hot players.
    await loader.cost(ours, IN_FLIGHT, around(HOT_PLAYERS))
    const costs = await inTurn(
      size.rounds,
      {
        limit: () => loader.cost(limit, IN_FLIGHT, page),
        uniform: () => loader.cost(ours, IN_FLIGHT, around(entries)),
        hot: () => loader.cost(ours, IN_FLIGHT, around(HOT_PLAYERS)),
      },
      SERVER_WARM_UPS,
    )
    const what = `around, ${PAGE} of ${entries.toLocaleString('en')} entries, HTTP / koa static page`
    return [
      fastEnough({ what: `${what}, uniform`, limit: costs.limit, ours: costs.uniform }, 0.55),
      fastEnough({ what: `${what}, ${HOT_PLAYERS} hot`, limit: costs.limit, ours: costs.hot }, 0.75),
    ]
  } finally {
    await Promise.all([limit.stop(), ours.stop(), loader.stop()])
  }
}
