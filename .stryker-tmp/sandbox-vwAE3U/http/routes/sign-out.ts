// Ends all sessions of a player. Incrementing the player's sign-out count ends them at once on every node, whatever the views
// know; the end of each session is recorded afterwards by the call, or by a background process if the call fails.

import { besides, type CommandContext } from '../../commands/command-context.ts'
import { signOut } from '../../commands/player.ts'
import { endAll } from '../../commands/session.ts'
import { isSignedOut } from '../../domain/session.ts'
import { openSessionsOf } from '../../queries/session.ts'
import { BEHIND_AFTER_MS } from '../pipeline/consistency.ts'
import type { RouteDeps } from './deps.ts'

/**
 * Throws 404 `player_not_found`. `ended`: the number of sessions that the views knew to be open; a repeated call returns the same.
 */
export async function signOutEverywhere(
  deps: Pick<RouteDeps, 'commands' | 'queries' | 'seen'>,
  game: string,
  player: string,
  context: CommandContext,
) {
  const openNow = () => openSessionsOf(deps.queries, player, context.nowMs)
  // A sign-in is answered once the views include it, so recent sessions are usually counted.
  const { ended, after, written, replayed, current } = await signOut(deps.commands, { game, player }, openNow, context)
  if (!replayed) await deps.seen(written, BEHIND_AFTER_MS)
  // Only sessions that this count ended, none that began since.
  const over = (await openNow()).filter((session) => isSignedOut(session, after?.signOuts))
  const sessions = over.map(({ id }) => id)
  const ending = await endAll(deps.commands, { game, player, sessions }, besides(context))
  return { ended, written: ending.written ?? written, unchangedAt: ending.currentPosition ?? current?.at, replayed }
}
