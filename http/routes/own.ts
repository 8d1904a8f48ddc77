// Look-ups of the game or leaderboard in a path, which must be the caller's own.

import { Refusal } from '../../domain/decider.ts'
import { findGame } from '../../queries/game.ts'
import { type Board, boardOfGame, findBoard } from '../../queries/leaderboard.ts'
import type { Caller } from '../route.ts'
import type { RouteDeps } from './deps.ts'

/** The game in the path, which must be the caller's own. Otherwise 404. */
export async function ownGame(deps: Pick<RouteDeps, 'queries'>, caller: Caller, id: string) {
  return existing(caller.game === id ? await findGame(deps.queries, id) : null)
}

/** The game in the path, which must be the caller's own, or any game for the operator. Otherwise 404. */
export async function anyGame(deps: Pick<RouteDeps, 'queries'>, caller: Caller, id: string) {
  return existing(caller.game === id || caller.game === null ? await findGame(deps.queries, id) : null)
}

function existing<Found>(found: Found | null): Found {
  if (found === null) throw new Refusal('not_found', 'game_not_found', 'There is no such game.')
  return found
}

/**
 * The leaderboard in the path, which must belong to the caller's game. Otherwise 404, also for an archived one unless
 * the call is repeated.
 */
export async function ownBoard(
  deps: Pick<RouteDeps, 'queries'>,
  caller: Caller,
  id: string,
  repeated = false,
): Promise<Board> {
  return boardOfGame(await findBoard(deps.queries, id, true), caller.game, repeated)
}
