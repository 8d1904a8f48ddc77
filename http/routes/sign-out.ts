// Ending every session of a player. The count on the player ends them all at once, on every node and whatever the views
// know; that each of them has ended is recorded after it, by the call or, where it breaks off, by a process.

import { besides, type Intent } from '../../commands/intent.ts'
import { signOut } from '../../commands/player.ts'
import { endAll } from '../../commands/session.ts'
import { isSignedOut } from '../../domain/session.ts'
import { openSessionsOf } from '../../queries/session.ts'
import { BEHIND_AFTER_MS } from '../pipeline/consistency.ts'
import type { RouteDeps } from './deps.ts'

/**
 * 404 `player_not_found`. `ended` counts the sessions that were open, as far as the views had come;
 * repeated, the call answers the same.
 */
export async function signOutEverywhere(
  deps: Pick<RouteDeps, 'commands' | 'queries' | 'seen'>,
  game: string,
  player: string,
  intent: Intent,
) {
  const openNow = () => openSessionsOf(deps.queries, player, intent.nowMs)
  // A sign-in is answered once the views have it: what somebody has signed in by is counted,
  // where they are not far behind.
  const { ended, after, written, replayed, stands } = await signOut(deps.commands, { game, player }, openNow, intent)
  if (!replayed) await deps.seen(written, BEHIND_AFTER_MS)
  // Those that are over by its count: none that began since.
  const over = (await openNow()).filter((session) => isSignedOut(session, after?.signOuts))
  const sessions = over.map(({ id }) => id)
  const ending = await endAll(deps.commands, { game, player, sessions }, besides(intent))
  return { ended, written: ending.written ?? written, unchangedAt: ending.stood ?? stands?.at, replayed }
}
