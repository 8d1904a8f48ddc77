// Signing out everywhere ends all sessions of a player. Incrementing the player's sign-out count ends them at once on
// every node, including sessions that the views do not contain yet. The call then records the end of each session. If
// it fails midway, reactions/finish-sign-ins.ts records the rest.

import { isSignedOut } from '../domain/session.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { openSessionsOf } from '../queries/session.ts'
import {
  BEHIND_AFTER_MS,
  type CommandContext,
  type WaitForProjection,
  withoutIdempotencyKey,
} from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { type PlayerRef, signOut } from './player.ts'
import { endAll } from './session.ts'

interface SignOutDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  readonly waitForProjection: WaitForProjection
}

/**
 * Throws 404 `player_not_found`. `ended`: the number of sessions that were open according to the views. A retry with
 * the same Idempotency-Key returns the same number.
 */
export async function signOutEverywhere(deps: SignOutDeps, ref: PlayerRef, context: CommandContext) {
  const { commands, queries, waitForProjection } = deps
  const openNow = () => openSessionsOf(queries, ref.player, context.nowMs)
  // A sign-in usually responds only after the views contain its session, so recent sessions are counted too.
  const { ended, after, written, replayed, current } = await signOut(commands, ref, openNow, context)
  if (!replayed) await waitForProjection(written, BEHIND_AFTER_MS)
  // Sessions that began after the count was incremented stay open.
  const over = (await openNow()).filter((session) => isSignedOut(session, after?.signOuts))
  const sessions = over.map(({ id }) => id)
  const ending = await endAll(commands, { ...ref, sessions }, withoutIdempotencyKey(context))
  return { ended, written: ending.written ?? written, unchangedAt: ending.currentPosition ?? current?.at, replayed }
}
