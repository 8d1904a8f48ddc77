// Ending every session of a player. The count on the player ends them all at once, on every node and whatever the views know;
// that each of them has ended is recorded after it, by the call or, where it breaks off, by a process.

import type { Intent } from '../../commands/intent.ts'
import { signOut } from '../../commands/player.ts'
import { endAll } from '../../commands/session.ts'
import { sessionsOf } from '../../queries/session.ts'
import { BEHIND_AFTER_MS } from '../pipeline/consistency.ts'
import type { RouteDeps } from './deps.ts'

/** 404 `player_not_found`. `ended` counts the sessions that this very call ended, as far as the views have come. */
export async function signOutEverywhere(
  deps: Pick<RouteDeps, 'commands' | 'queries' | 'seen'>,
  game: string,
  player: string,
  intent: Intent,
) {
  const { written, replayed, stands } = await signOut(deps.commands, game, player, intent)
  if (!replayed) await deps.seen(written, BEHIND_AFTER_MS)
  // Repeated, the call finds its own among those that were ended, and ends none that began since.
  const which = replayed ? 'ended' : 'open'
  const sessions = await sessionsOf(deps.queries, player, which, intent.nowMs)
  const ending = await endAll(deps.commands, { game, player, sessions }, intent)
  return { ended: ending.ended, written: ending.written ?? written, stood: ending.stood ?? stands?.at, replayed }
}
