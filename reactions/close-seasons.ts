// Closes the seasons whose end has passed, and opens the next ones.

import pMap from 'p-map'
import { closeSeason } from '../commands/seasons.ts'
import type { Position } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import { type EndedSeason, endedSeasons } from '../queries/seasons.ts'
import { ownContext, type ReactionDeps } from './reaction.ts'
import type { Timed } from './tick.ts'

/** A season is closed at most this much after its end, plus the delay of the views. */
const EVERY_MS = 500
/** Many leaderboards have a season that ends at one moment: their appends share syncs. */
const CLOSED_AT_ONCE = 32
/**
 * After this many closings a run ends with its round. The next run reads the time and the partitions again, so that
 * seasons that end meanwhile do not wait for a long backlog.
 */
export const CLOSED_PER_RUN = 500

interface CloseDeps extends Pick<ReactionDeps, 'commands' | 'queries' | 'isDeleted'> {
  /** Unix milliseconds by a clock that all nodes share: a season ends once both have passed its end. */
  sharedNow?(): Promise<number>
}

/**
 * Works in rounds. Each closes one season of every leaderboard that is due, the earliest ends first, so that no
 * leaderboard waits for the backlog of another. Leaderboards that fail do not block the others.
 */
export function closeSeasons(deps: CloseDeps): Timed {
  return {
    name: 'close_seasons',
    everyMs: EVERY_MS,
    async run(partitions, nowMs, signal) {
      const isOurs = (game: string) => partitions.has(partitionOf(game)) && deps.isDeleted?.(game) !== true
      const passedMs = Math.min(nowMs, (await deps.sharedNow?.()) ?? nowMs)
      let failure: unknown = null
      const close = async (season: EndedSeason): Promise<boolean> => {
        if (signal.aborted) return false
        try {
          return await closeSeason(deps.commands, season, passedMs, ownContext(nowMs))
        } catch (error) {
          failure ??= error
          return false
        }
      }
      const closeRound = async (): Promise<number> => {
        let closed = 0
        let start: Position | null = null
        for await (const page of endedSeasons(deps.queries, passedMs)) {
          if (signal.aborted) break
          const before: Position = start ?? (await deps.commands.log.head()) ?? ''
          start = before
          // A leaderboard whose season this round has closed may be due again at a later end, on a later page.
          const due = page.filter(({ game, position }) => isOurs(game) && position <= before)
          const results = await pMap(due, close, { concurrency: CLOSED_AT_ONCE })
          closed += results.filter((isClosed) => isClosed).length
        }
        return closed
      }
      let closed = 0
      let closedInRound: number
      do {
        closedInRound = await closeRound()
        closed += closedInRound
      } while (closedInRound > 0 && closed < CLOSED_PER_RUN && !signal.aborted)
      if (failure !== null) throw failure
    },
  }
}
