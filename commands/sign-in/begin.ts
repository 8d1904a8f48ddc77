// The last step of every sign-in method: a session, and a token with its player.

import type { Player } from '../../domain/player.ts'
import { MAX_SESSIONS, signInRejected } from '../../domain/session.ts'
import { type CommandContext, withoutIdempotencyKey } from '../command-context.ts'
import { playerNow } from '../player-now.ts'
import { end, endAll, start } from '../session.ts'
import type { Proven, SignInDeps } from './sign-in-deps.ts'

/** The caller's API key and the permissions of its token. */
export interface Caller {
  readonly key: string
  readonly permissions: readonly string[]
}

/** Maximum number of old sessions that one call ends. */
const ENDED_AT_ONCE = 50

interface SignIn {
  readonly game: string
  readonly player: Proven<Player>
  readonly caller: Caller
}

/** A session that is recorded. */
type Started = Awaited<ReturnType<typeof start>>

/** A session with its token. */
export type Begun = Awaited<ReturnType<typeof grantToken>>

/**
 * Starts the session of a player who has proven who they are, and ends the oldest sessions above the maximum. Only this
 * call's answer contains the refresh token. 429 `recording_limit` if the player has recorded too much.
 */
export async function beginSession(deps: SignInDeps, signIn: SignIn, context: CommandContext) {
  const { game, player, caller } = signIn
  context.usage?.chargePlayer(player.id)
  const fresh = { game, player: player.id, ...granted(caller), signOuts: player.state.signOuts }
  return grantToken(deps, signIn, await start(deps, fresh, context), context)
}

/** Only these two fields go into events and claims: a route's caller has more. */
export const granted = ({ key, permissions }: Caller): Caller => ({ key, permissions })

/**
 * Issues the token of a session that has started. Ends the session and throws 401 `sign_in_rejected` if the proof has
 * become invalid.
 */
export async function grantToken(deps: SignInDeps, signIn: SignIn, started: Started, context: CommandContext) {
  const { game, player, caller } = signIn
  const { id: session, refreshToken, handled } = started
  const isStillValid = player.isStillValid ?? (async () => (await playerNow(deps, player.id))?.deleted === false)
  if (!(await isStillValid())) {
    await end(deps, { game, player: player.id, session }, withoutIdempotencyKey(context))
    throw signInRejected()
  }
  // A new player has no other sessions.
  if (!player.made && !handled.replayed) await endOldest(deps, { game, player: player.id, session }, context)
  const claims = { ...granted(caller), game, player: player.id, session }
  const { token, expiresAt } = await deps.tokens.issue(claims, context.nowMs)
  return { token, expiresAt, refreshToken, written: handled.written, replayed: handled.replayed }
}

/** The views list the sessions, so concurrent sign-ins may leave a few too many; the next sign-in ends them. */
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
