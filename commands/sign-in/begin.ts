// What every way of signing in ends with: a session, and a token that carries its player.

import type { Player } from '../../domain/player.ts'
import { signInRejected } from '../../domain/session.ts'
import { besides, type Intent } from '../intent.ts'
import { playerNow } from '../player-now.ts'
import { end, start } from '../session.ts'
import type { Proven, SignInDeps } from './deps.ts'

/** Who calls: the key that the session is begun with, and what its token may carry. */
interface Caller {
  readonly key: string
  readonly permissions: readonly string[]
}

/** Begins the session of a player who has proven who they are. The refresh token is shown once, by the answer to this call. */
export async function beginSession(
  deps: SignInDeps,
  { key, permissions }: Caller,
  game: string,
  player: Proven<Player>,
  intent: Intent,
) {
  const fresh = { game, player: player.id, key, permissions, signOuts: player.state.signOuts }
  const { id: session, refreshToken, handled } = await start(deps, fresh, intent)
  const stillStands = player.stillStands ?? (async () => (await playerNow(deps, player.id))?.deleted === false)
  if (!(await stillStands())) {
    await end(deps, { game, player: player.id, session }, besides(intent))
    throw signInRejected()
  }
  const claims = { key, game, permissions, player: player.id, session }
  const { token, expiresAt } = await deps.tokens.issue(claims, intent.nowMs)
  return { token, expiresAt, refreshToken, written: handled.written, replayed: handled.replayed }
}
