// The cost of a submission on a large board relative to a board of 1,000 entries: uniformly drawn players of the board,
// submitted with a tenant's key, 64 in flight.

import { numbers, playerId } from './support/events.ts'
import { largeBoard } from './support/large-board.ts'
import { inTurn, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { startLoader, startOurs } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'
import { handshake, submitText } from './support/test-game.ts'

const IN_FLIGHT = 64
const REQUESTS = 4_000
const SMALL = 1_000
const SCORES = 10_000_000

export async function benchGrowth(size: Size): Promise<BenchRow[]> {
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const loader = startLoader()
  const small = await onBoard(SMALL, requests)
  const large = await onBoard(size.entries, requests)
  try {
    const costs = await inTurn(
      size.rounds,
      {
        small: async () => loader.cost(small.server, IN_FLIGHT, small.requests()),
        large: async () => loader.cost(large.server, IN_FLIGHT, large.requests()),
      },
      SERVER_WARM_UPS,
    )
    const what = `submit, board of ${size.entries.toLocaleString('en')} / of ${SMALL.toLocaleString('en')}`
    return [cheapEnough({ what, limit: costs.small, ours: costs.large }, 2)]
  } finally {
    await Promise.all([small.server.stop(), large.server.stop(), loader.stop()])
  }
}

async function onBoard(entries: number, count: number) {
  const { dataDir, world } = await largeBoard(entries)
  const server = await startOurs(dataDir)
  const token = await handshake(server.port, world.key)
  const random = numbers(3)
  const submission = () => {
    const score = `${random(SCORES)}.5`
    return submitText(world.board, token, { score, player: playerId(random(entries)) })
  }
  return { server, requests: () => Array.from({ length: count }, submission) }
}
