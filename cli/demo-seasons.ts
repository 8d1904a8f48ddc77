// The seasons of the demo, whose clock moves forward by hours. The server closes a season and opens the next one by
// itself, and a score that is sent before that may join none.

import { setTimeout } from 'node:timers/promises'
import type { Client } from '../clients/javascript/connect.ts'
import type { Leaderboard } from '../clients/javascript/score-shapes.ts'
import type { DemoClock } from './demo-data.ts'

const ASK_EVERY_MS = 50
/** After this it stops waiting: no process may be running that closes seasons. */
const PATIENCE_MS = 10_000

export interface DemoSeasons {
  /**
   * Resolves when each leaderboard with seasons has an open one that has not ended by the demo's clock, or after
   * PATIENCE_MS for each.
   */
  untilOpen(): Promise<void>
}

export function demoSeasons(
  server: Pick<Client, 'seasons'>,
  boards: readonly Leaderboard[],
  { now }: DemoClock,
): DemoSeasons {
  /** Leaderboard -> when its open season ends, in Unix milliseconds. */
  const ends = new Map(boards.filter(({ seasons }) => seasons !== null).map(({ id }) => [id, 0]))

  async function endOfOpen(board: string): Promise<number> {
    const { seasons } = await server.seasons(board, { limit: 1 })
    const [newest] = seasons
    return newest?.state === 'open' ? Date.parse(newest.ends) : 0
  }

  return {
    async untilOpen() {
      for (const [board, end] of ends) {
        const deadlineMs = performance.now() + PATIENCE_MS
        for (let found = end; found <= now() && performance.now() < deadlineMs; ) {
          found = await endOfOpen(board)
          ends.set(board, found)
          if (found <= now()) await setTimeout(ASK_EVERY_MS)
        }
      }
    },
  }
}
