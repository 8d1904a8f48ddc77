// Shared by all sign-in routes: the check that the method is enabled, and the answer.

import type { CommandContext } from '../../commands/command-context.ts'
import { beginSession } from '../../commands/sign-in/begin.ts'
import type { Proven } from '../../commands/sign-in/sign-in-deps.ts'
import { Refusal } from '../../domain/decider.ts'
import type { SignIn } from '../../domain/game.ts'
import type { Player } from '../../domain/player.ts'
import { ownAnswer } from '../../queries/player.ts'
import type { Answer, Caller } from '../route.ts'
import { ownGame, type RouteDeps } from './deps.ts'

/** The caller's game, if the sign-in method is enabled. Otherwise 403 `sign_in_method_off`. */
export async function signInGame(deps: Pick<RouteDeps, 'queries'>, caller: Caller, id: string, method: keyof SignIn) {
  const { state } = await ownGame(deps, caller, id)
  if (state.signIn[method]) return { id, name: state.name }
  throw new Refusal('forbidden', 'sign_in_method_off', `Sign-in by ${method} is disabled for this game.`)
}

interface SignedIn {
  readonly game: string
  readonly player: Proven<Player>
  /** Shown to a new guest once. */
  readonly shown?: { readonly guest_token?: string }
}

/** Starts the session of an authenticated player: 201 if the call created the player. */
export async function signedIn(
  deps: Pick<RouteDeps, 'signIn'>,
  caller: Caller,
  { game, player, shown = {} }: SignedIn,
  context: CommandContext,
): Promise<Answer> {
  const { written, replayed, ...session } = await beginSession(deps.signIn, { game, player, caller }, context)
  const answer = tokenAnswer({ ...session, permissions: caller.permissions })
  const body = { ...answer, player: ownAnswer(player.id, player.state), ...shown }
  return { status: player.made ? 201 : 200, body, written, replayed }
}

interface Tokens {
  readonly token: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly permissions: readonly string[]
  readonly refreshToken: string
}

export function tokenAnswer({ token, expiresAt, permissions, refreshToken }: Tokens) {
  return { token, expires_at: expiresAt, permissions, declined: [], refresh_token: refreshToken }
}
