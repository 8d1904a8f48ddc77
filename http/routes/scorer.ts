// Checks of the player that a score is submitted for: they belong to the game, may play, and are visible.

import { Refusal } from '../../domain/decider.ts'
import { bannedRefusal, isBanned } from '../../domain/player.ts'
import type { AsOf } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { findPlayer } from '../../queries/player.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { Caller } from '../route.ts'
import type { RouteDeps } from './deps.ts'

/** The player, who must belong to the board's game. 422 `unknown_player`. */
export async function ownPlayer(deps: Pick<RouteDeps, 'queries'>, board: Board, id: string) {
  const found = await findPlayer(deps.queries, id)
  if (found === null || found.game !== board.game) throw unknownPlayer()
  return found.state
}

function unknownPlayer(): Refusal {
  return new Refusal('unprocessable', 'unknown_player', 'There is no such player in this game.')
}

/** For a player named in the body. A caller's own player was checked at authentication. */
export async function checkMayPlay(
  { statuses }: Pick<RouteDeps, 'statuses'>,
  { key }: Caller,
  player: string,
  nowMs: number,
): Promise<void> {
  const identity = { key, session: null, player }
  const { player: status } = statuses.cached(identity) ?? (await statuses.read(identity))
  if (status === null || status.deleted) throw unknownPlayer()
  if (isBanned(status.banned, nowMs)) throw bannedRefusal(status.banned)
}

/** Whether the player was banned or deleted while the submission was recorded: it stays recorded but has no rank. */
export async function isHidden(deps: Pick<RouteDeps, 'queries'>, id: string, asOf: AsOf): Promise<boolean> {
  try {
    const found = await findPlayer(deps.queries, id, asOf)
    return found === null || found.state.banned !== null
  } catch (error) {
    if (error instanceof StoreUnavailable) return true
    throw error
  }
}
