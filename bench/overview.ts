// The overview of a game with a large board. None is answered from the cache, because each call follows a submission
// by the same key.

import { withBoardLoad } from './support/board-load.ts'
import { playerId } from './support/events.ts'
import { cpuSecondsOf, median, type Size } from './support/measure.ts'
import type { BenchRow } from './support/row.ts'
import { call } from './support/test-game.ts'

const CALLS_A_ROUND = 10
const GOAL_S = 0.1

export async function benchOverview({ rounds, entries }: Size): Promise<BenchRow[]> {
  const costs = await withBoardLoad({ entries }, async ({ server: { port, pid }, world, token }) => {
    const seconds: { readonly cpu: number; readonly time: number }[] = []
    for (let n = 0; n < rounds * CALLS_A_ROUND; n++) {
      const body = { player: playerId(n), score: String(20_000_000 + n) }
      await call(port, 'POST', `/api/lb/${world.board}/score/`, { token, body })
      const [cpuBefore, began] = [cpuSecondsOf(pid), performance.now()]
      await call(port, 'GET', `/api/gm/${world.game}/overview/`, { token })
      seconds.push({ time: (performance.now() - began) / 1_000, cpu: cpuSecondsOf(pid) - cpuBefore })
    }
    return seconds
  })
  const time = median(costs.map((one) => one.time))
  const cpu = costs.reduce((sum, one) => sum + one.cpu, 0) / costs.length
  return [
    {
      what: `overview of a game with ${entries.toLocaleString('en')} submissions, not cached`,
      limit: `${GOAL_S * 1_000} ms`,
      ours: `${(time * 1_000).toFixed(1)} ms (${(cpu * 1_000).toFixed(1)} cpu ms)`,
      ratio: (time / GOAL_S).toFixed(3),
      goal: '≤ 1',
      met: time <= GOAL_S,
    },
  ]
}
