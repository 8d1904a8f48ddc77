// The answer to every way of signing in: a session, and a token that carries its player.

import { besides, type Intent } from '../../commands/intent.ts'
import { end, signInRejected, start } from '../../commands/session.ts'
import type { Proven } from '../../commands/sign-in/deps.ts'
import { Refusal } from '../../domain/decider.ts'
import type { SignIn } from '../../domain/game.ts'
import type { Player } from '../../domain/player.ts'
import { ownAnswer } from '../../queries/player.ts'
import type { Answer, Caller } from '../route.ts'
import { ownGame, type RouteDeps } from './deps.ts'

/** The caller's game, where it lets players sign in so. 403 `sign_in_method_off`. */
export async function signInGame(deps: RouteDeps, caller: Caller, id: string, method: keyof SignIn) {
  const { state } = await ownGame(deps, caller, id)
  if (state.signIn[method]) return { id, name: state.name }
  throw new Refusal('forbidden', 'sign_in_method_off', `This game does not let players sign in by ${method}.`)
}

/** Starts a session for a player who has proven who they are: 201 where the call made them. */
export async function signedIn(
  deps: RouteDeps,
  caller: Caller,
  game: string,
  player: Proven<Player>,
  intent: Intent,
  shown: { readonly guest_token?: string } = {},
): Promise<Answer> {
  const { key, permissions } = caller
  const fresh = { game, player: player.id, key, permissions, signOuts: player.state.signOuts }
  const { id: session, refreshToken, handled } = await start(deps.commands, fresh, intent)
  if (player.stillStands !== undefined && !(await player.stillStands())) {
    await end(deps.commands, { game, player: player.id, session }, besides(intent))
    throw signInRejected()
  }
  const claims = { key, game, permissions, player: player.id, session }
  const { token, expiresAt } = await deps.handshake.tokens.issue(claims, intent.nowMs)
  const answer = { token, expires_at: expiresAt, permissions, declined: [], refresh_token: refreshToken }
  const body = { ...answer, player: ownAnswer(player.id, player.state), ...shown }
  return { status: player.made ? 201 : 200, body, written: handled.written, replayed: handled.replayed }
}
