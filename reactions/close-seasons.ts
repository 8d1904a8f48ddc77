// Closes the seasons whose end has passed, and opens the next ones.

import pMap from 'p-map'
import { closeSeason } from '../commands/leaderboard.ts'
import { partitionOf } from '../domain/partition.ts'
import { dueSeasons } from '../queries/seasons.ts'
import { ownContext, type ReactionDeps } from './reaction.ts'
import type { Timed } from './tick.ts'

/** A season is closed at most this much after its end, plus the delay of the views. */
const EVERY_MS = 500
/** Many leaderboards have a season that ends at one moment: their appends share syncs. */
const CLOSED_AT_ONCE = 32

interface CloseDeps extends Pick<ReactionDeps, 'commands' | 'queries' | 'isDeleted'> {
  /** Unix milliseconds by a clock that all nodes share: a season ends once both have passed its end. */
  sharedNow?(): Promise<number>
}

export function closeSeasons(deps: CloseDeps): Timed {
  const { commands, queries } = deps
  return {
    name: 'close_seasons',
    everyMs: EVERY_MS,
    async run(partitions, nowMs, signal) {
      const due = await dueSeasons(queries, nowMs)
      const own = due.filter(({ game }) => deps.isDeleted?.(game) !== true && partitions.has(partitionOf(game)))
      if (own.length === 0) return
      const passedMs = Math.min(nowMs, (await deps.sharedNow?.()) ?? nowMs)
      await pMap(
        own,
        async ({ board, game }) => {
          // Seasons that ended while nothing ran are closed one by one, in order.
          while (!signal.aborted && (await closeSeason(commands, { board, game }, passedMs, ownContext(nowMs))));
        },
        { concurrency: CLOSED_AT_ONCE },
      )
    },
  }
}
