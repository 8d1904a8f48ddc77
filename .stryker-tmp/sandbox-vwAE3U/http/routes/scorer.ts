// The player that a score is submitted for: whether they are the game's, may play, and are shown.

import { Refusal } from '../../domain/decider.ts'
import { bannedRefusal, isBanned } from '../../domain/player.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { findPlayer } from '../../queries/player.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { Caller } from '../route.ts'
import type { RouteDeps } from './deps.ts'

/** The player, of the board's game. 422 `unknown_player`. */
export async function ownPlayer(deps: Pick<RouteDeps, 'queries'>, board: Board, id: string) {
  const found = await findPlayer(deps.queries, id)
  if (found === null || found.game !== board.game) throw unknownPlayer()
  return found.state
}

function unknownPlayer(): Refusal {
  return new Refusal('unprocessable', 'unknown_player', 'There is no such player in this game.')
}

/** Asked of a player who is named: who calls with a token of their own was let in by the same status. */
export async function checkMayPlay(
  { statuses }: Pick<RouteDeps, 'statuses'>,
  { key }: Caller,
  player: string,
  nowMs: number,
): Promise<void> {
  const asked = { key, session: null, player }
  const { player: status } = statuses.remembered(asked) ?? (await statuses.read(asked))
  if (status === null || status.deleted) throw unknownPlayer()
  if (isBanned(status.banned, nowMs)) throw bannedRefusal(status.banned)
}

/** Whether a player was banned or deleted while their submission was recorded: it stands, and is ranked nowhere. */
export async function isHidden(deps: Pick<RouteDeps, 'queries'>, id: string): Promise<boolean> {
  try {
    const found = await findPlayer(deps.queries, id)
    return found === null || found.state.banned !== null
  } catch (why) {
    if (why instanceof StoreUnavailable) return true
    throw why
  }
}
