// Commands that close the seasons of a leaderboard and record their standings.

import { leaderboard } from '../domain/leaderboard.ts'
import { closeEndedSeason, recordStanding, type SeasonStanding } from '../domain/seasons.ts'
import { aboutBoard, type BoardRef } from './about-board.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'

/**
 * The schedule from the instant that the clock that all nodes share has passed too: a node whose clock is ahead would
 * otherwise close seasons before their end.
 */
export async function byAllClocks<Scheduled extends { readonly fromMs: number }>(
  { sharedNow }: Pick<CommandDeps, 'sharedNow'>,
  seasons: Scheduled | undefined,
): Promise<Scheduled | undefined> {
  if (seasons === undefined || sharedNow === undefined) return seasons
  return { ...seasons, fromMs: Math.min(seasons.fromMs, await sharedNow()) }
}

/** Closes the open season if its end has passed at an instant (Unix milliseconds). Returns whether it did. */
export async function closeSeason(
  deps: CommandDeps,
  of: BoardRef,
  passedMs: number,
  context: CommandContext,
): Promise<boolean> {
  const { events } = await deps.handler.handle(leaderboard, aboutBoard(of), context, closeEndedSeason(passedMs))
  return events.length > 0
}

/** Records the standing of a closed season, once. */
export function recordSeasonStanding(
  deps: CommandDeps,
  of: BoardRef,
  { season, standing }: { readonly season: number; readonly standing: SeasonStanding },
  context: CommandContext,
) {
  return deps.handler.handle(leaderboard, aboutBoard(of), context, recordStanding(season, standing))
}
