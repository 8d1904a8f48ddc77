// What every way of signing in ends with: a session, and a token that carries its player.

import type { Player } from '../../domain/player.ts'
import { MAX_SESSIONS, signInRejected } from '../../domain/session.ts'
import { type CommandContext, withoutIdempotencyKey } from '../command-context.ts'
import { playerNow } from '../player-now.ts'
import { end, endAll, start } from '../session.ts'
import type { Proven, SignInDeps } from './sign-in-deps.ts'

/** Who calls: the key that the session is begun with, and what its token may carry. */
interface Caller {
  readonly key: string
  readonly permissions: readonly string[]
}

/** How many are ended at once where far too many are open: the next call ends more. */
const ENDED_AT_ONCE = 50

/**
 * Begins the session of a player who has proven who they are, and ends the oldest where they have too many. The refresh
 * token is shown once, by the answer to this call. 429 `recording_limit` where the player has recorded too much.
 */
export async function beginSession(
  deps: SignInDeps,
  begun: { readonly game: string; readonly player: Proven<Player>; readonly caller: Caller },
  context: CommandContext,
) {
  const { game, player, caller } = begun
  const { key, permissions } = caller
  context.tally?.chargePlayer(player.id)
  const fresh = { game, player: player.id, key, permissions, signOuts: player.state.signOuts }
  const { id: session, refreshToken, handled } = await start(deps, fresh, context)
  const isStillValid = player.isStillValid ?? (async () => (await playerNow(deps, player.id))?.deleted === false)
  if (!(await isStillValid())) {
    await end(deps, { game, player: player.id, session }, withoutIdempotencyKey(context))
    throw signInRejected()
  }
  // Whoever has just been made has no others.
  if (!player.made && !handled.replayed) await endOldest(deps, { game, player: player.id, session }, context)
  const claims = { key, game, permissions, player: player.id, session }
  const { token, expiresAt } = await deps.tokens.issue(claims, context.nowMs)
  return { token, expiresAt, refreshToken, written: handled.written, replayed: handled.replayed }
}

/** By what the views know: racers may leave a few too many, which the next session's beginning ends. */
async function endOldest(
  deps: SignInDeps,
  { game, player, session }: { readonly game: string; readonly player: string; readonly session: string },
  context: CommandContext,
): Promise<void> {
  const open = await deps.openSessions(player, context.nowMs, MAX_SESSIONS + ENDED_AT_ONCE)
  const others = open.filter(({ id }) => id !== session)
  const tooMany = others.slice(0, Math.max(0, others.length + 1 - MAX_SESSIONS))
  if (tooMany.length === 0) return
  await endAll(deps, { game, player, sessions: tooMany.map(({ id }) => id) }, withoutIdempotencyKey(context))
}
