// A token of one game for an operator: with it the operator calls whatever a server key of that game may. It belongs to
// the operator's key and ends with it. Nothing is recorded.

import { TOKEN_LIFETIME_S, type Tokens } from '../credentials/tokens.ts'
import { defaultPermissions, isGrantable } from '../domain/permissions.ts'
import type { Token } from './handshake.ts'

export interface OperatorTokenRequest {
  /** Prefix of the operator key. */
  readonly key: string
  /** When the token that asks expires, in Unix seconds. */
  readonly expiresAt: number
  readonly game: string
  /** Empty: the default ones of a server key. */
  readonly permissions: readonly string[]
  /** Ids of other games in `permissions`. */
  readonly otherGames: ReadonlySet<string>
}

/** Valid for an hour, but not longer than the token that asks. What no server key of the game can have is declined. */
export async function issueOperatorToken(
  tokens: Tokens,
  { key, expiresAt: callerExpiresAt, game, permissions, otherGames }: OperatorTokenRequest,
  nowMs: number,
): Promise<Token> {
  const asked = permissions.length === 0 ? defaultPermissions('server', game) : permissions
  const isGranted = (one: string) => isGrantable(one, game) && !one.split(':').some((part) => otherGames.has(part))
  const granted = asked.filter(isGranted)
  const declined = asked.filter((one) => !isGranted(one))
  const until = Math.min(Math.floor(nowMs / 1_000) + TOKEN_LIFETIME_S, callerExpiresAt)
  const claims = { key, game, permissions: granted, player: null, session: null }
  const { token, expiresAt } = await tokens.issue(claims, nowMs, until)
  return { token, expires_at: expiresAt, permissions: granted, declined }
}
