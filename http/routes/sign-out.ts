// Ends all sessions of a player. Incrementing the player's sign-out count ends them at once on every node, including
// sessions that the views do not contain yet. The call then records the end of each session. If it fails midway,
// reactions/finish-sign-ins.ts records the rest.

import { BEHIND_AFTER_MS, type CommandContext, withoutIdempotencyKey } from '../../commands/command-context.ts'
import { signOut } from '../../commands/player.ts'
import { endAll } from '../../commands/session.ts'
import { isSignedOut } from '../../domain/session.ts'
import { openSessionsOf } from '../../queries/session.ts'
import type { RouteDeps } from './deps.ts'

/**
 * Throws 404 `player_not_found`. `ended`: the number of sessions that were open according to the views. A retry with
 * the same Idempotency-Key returns the same number.
 */
export async function signOutEverywhere(
  deps: Pick<RouteDeps, 'commands' | 'queries' | 'waitForProjection'>,
  game: string,
  player: string,
  context: CommandContext,
) {
  const openNow = () => openSessionsOf(deps.queries, player, context.nowMs)
  // A sign-in usually responds only after the views contain its session, so recent sessions are counted too.
  const { ended, after, written, replayed, current } = await signOut(deps.commands, { game, player }, openNow, context)
  if (!replayed) await deps.waitForProjection(written, BEHIND_AFTER_MS)
  // Sessions that began after the count was incremented stay open.
  const over = (await openNow()).filter((session) => isSignedOut(session, after?.signOuts))
  const sessions = over.map(({ id }) => id)
  const ending = await endAll(deps.commands, { game, player, sessions }, withoutIdempotencyKey(context))
  return { ended, written: ending.written ?? written, unchangedAt: ending.currentPosition ?? current?.at, replayed }
}
