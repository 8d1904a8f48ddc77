// What all ways of signing in share at the door: the game that lets players in so, and the answer.

import type { Intent } from '../../commands/intent.ts'
import { beginSession } from '../../commands/sign-in/begin.ts'
import type { Proven } from '../../commands/sign-in/sign-in-deps.ts'
import { Refusal } from '../../domain/decider.ts'
import type { SignIn } from '../../domain/game.ts'
import type { Player } from '../../domain/player.ts'
import { ownAnswer } from '../../queries/player.ts'
import type { Answer, Caller } from '../route.ts'
import { ownGame, type RouteDeps } from './deps.ts'

/** The caller's game, where it lets players sign in so. 403 `sign_in_method_off`. */
export async function signInGame(deps: Pick<RouteDeps, 'queries'>, caller: Caller, id: string, method: keyof SignIn) {
  const { state } = await ownGame(deps, caller, id)
  if (state.signIn[method]) return { id, name: state.name }
  throw new Refusal('forbidden', 'sign_in_method_off', `This game does not let players sign in by ${method}.`)
}

interface SignedIn {
  readonly game: string
  readonly player: Proven<Player>
  /** Shown to the new guest, this once. */
  readonly shown?: { readonly guest_token?: string }
}

/** Begins the session of a player who has proven who they are: 201 where the call made them. */
export async function signedIn(
  deps: Pick<RouteDeps, 'signIn'>,
  caller: Caller,
  { game, player, shown = {} }: SignedIn,
  intent: Intent,
): Promise<Answer> {
  const { written, replayed, ...begun } = await beginSession(deps.signIn, { game, player, caller }, intent)
  const answer = tokenAnswer({ ...begun, permissions: caller.permissions })
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
