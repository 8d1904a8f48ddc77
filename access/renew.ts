// Renews a session: issues a new bearer token for its player, with permissions that the key still has, and records the
// day.

import type { Tokens } from '../credentials/tokens.ts'
import { stillHeld } from '../domain/permissions.ts'
import type { Player } from '../domain/player.ts'
import { signInRejected } from '../domain/session.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { findPlayer } from '../queries/player.ts'
import { findSession } from '../queries/session.ts'
import { actingKey } from './authenticate.ts'
import type { LastUsed } from './last-used.ts'
import type { Statuses } from './statuses.ts'

export interface RenewDeps {
  readonly queries: QueryDeps
  readonly statuses: Statuses
  readonly tokens: Tokens
  /** Days on which sessions got a token. */
  readonly sessionUsed: LastUsed
}

export interface Renewed {
  readonly token: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly permissions: readonly string[]
  readonly player: { readonly id: string; readonly state: Player }
}

/**
 * 401 `sign_in_rejected` if the session, its key or its player is no longer valid or of another game; 403
 * `player_banned`.
 */
export async function renew(deps: RenewDeps, game: string, id: string, nowMs: number): Promise<Renewed> {
  const session = await findSession(deps.queries, id)
  const isOver = session === null || session.state.ended || Date.parse(session.state.expires) <= nowMs
  if (isOver || session.game !== game) throw signInRejected()
  const { player: playerId, key: prefix } = session.state
  const identity = { key: prefix, session: id, player: playerId }
  const [player, found] = await Promise.all([findPlayer(deps.queries, playerId), deps.statuses.read(identity)])
  const key = actingKey(identity, found, nowMs, { rejected: signInRejected })
  // `actingKey` has checked for a ban; the status is never older than the view.
  if (player === null) throw signInRejected()
  const permissions = stillHeld(session.state.permissions, key.permissions)
  const claims = { key: prefix, game, permissions, player: playerId, session: id }
  const { token, expiresAt } = await deps.tokens.issue(claims, nowMs)
  deps.sessionUsed.note(id, nowMs)
  return { token, expiresAt, permissions, player: { id: playerId, state: player.state } }
}
