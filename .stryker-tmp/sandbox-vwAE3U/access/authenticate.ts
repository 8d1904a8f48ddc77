// Who a bearer token speaks for, asked on every call: the token itself, then whether its key, session and player still
// stand. A token never carries more than its key holds now.

import { type Claims, TOKEN_LIFETIME_S, type Tokens } from '../credentials/tokens.ts'
import { Refusal } from '../domain/decider.ts'
import type { Key } from '../domain/key.ts'
import { anyCovers, isOperators, stillHeld } from '../domain/permissions.ts'
import { bannedRefusal, isBanned } from '../domain/player.ts'
import { isSignedOut } from '../domain/session.ts'
import type { Asked, Found, Statuses } from './statuses.ts'

const ANSWERS_REMEMBERED = 64
/** For as long a token may be ahead of the views, which have yet to hear of whom it speaks for. */
const FRESH_MS = 10_000
const RETRY_AFTER_S = 1

export interface Access {
  /** Prefix of the API key. */
  readonly key: string
  readonly kind: 'server' | 'client'
  /** The key's game; null for the operator's. */
  readonly game: string | null
  readonly player: string | null
  readonly session: string | null
  /** Of the token, where it carries no player. */
  readonly token: string | null
  /**
   * What the token carries, possibly with `*`, less what its key holds no longer. A token made from it carries no more.
   */
  readonly permissions: readonly string[]
  /** What the token was issued with, whatever its key holds by now: the same for as long as the token lives. */
  readonly issuedWith: readonly string[]
  /** Whether token and key both hold a permission that covers this one (an exact string, no `*`). */
  may(permission: string): boolean
}

/**
 * 401 `token_rejected` for a token that is not ours, has expired, or whose key, session or player is gone. 403
 * `player_banned`. 503 `behind` for one so new that the views may not know yet whom it speaks for.
 * StoreUnavailable where nobody can tell.
 */
export async function authenticate(statuses: Statuses, tokens: Tokens, token: string, nowMs: number): Promise<Access> {
  const claims = tokens.check(token, nowMs)
  if (claims === null) throw rejected('is not valid, or has expired')
  if (statuses.isGone?.(claims.game) === true) throw rejected('is of a game that is deleted')
  const found = statuses.remembered(claims) ?? (await statuses.read(claims))
  const isFresh = nowMs < (claims.expiresAt - TOKEN_LIFETIME_S) * 1_000 + FRESH_MS
  const key = actingKey(claims, found, nowMs, { rejected, absent: isFresh && found.mayCome ? behind : rejected })
  const before = worked.get(claims)
  if (before?.key === key) return before.access
  const access = accessOf(claims, key)
  worked.set(claims, { key, access })
  return access
}

interface KeyRefusals {
  readonly rejected: (reason: string) => Refusal
  /** Left out: as `rejected`. */
  readonly absent?: (reason: string) => Refusal
}

/**
 * The key that a caller acts by, where it, their session and their player still stand. Else throws what `rejected`
 * makes of the reason, or 403 `player_banned`; and where none of them is over, but one is not there, what `absent`
 * makes of it.
 */
export function actingKey(
  asked: Asked,
  { key, session, player }: Found,
  nowMs: number,
  { rejected, absent = rejected }: KeyRefusals,
): Key {
  if (key?.revoked) throw rejected('was issued to a key that is revoked')
  const isOver = session !== null && (session.ended || session.expiresMs <= nowMs)
  if (isOver || (session !== null && isSignedOut(session, player?.signOuts))) {
    throw rejected('belongs to a session that has ended')
  }
  if (player?.deleted) throw rejected('belongs to a player who is not there')
  if (key === null) throw absent('was issued to a key that is not there')
  if (session === null && asked.session !== null) throw absent('belongs to a session that is not there')
  if (player === null && asked.player !== null) throw absent('belongs to a player who is not there')
  if (player !== null && isBanned(player.banned, nowMs)) throw bannedRefusal(player.banned)
  return key
}

/** What was worked out for a token's claims and its key's state: each stays the same object until it changes. */
const worked = new WeakMap<Claims, { readonly key: Key; readonly access: Access }>()

function accessOf({ key: prefix, game, player, session, id: token, permissions }: Claims, key: Key): Access {
  const may = remembered((permission) => {
    if (isOperators(permission) && key.game !== null) return false
    return anyCovers(permissions, permission) && anyCovers(key.permissions, permission)
  })
  return {
    key: prefix,
    kind: key.kind,
    game,
    player,
    session,
    token,
    may,
    issuedWith: permissions,
    get permissions() {
      return stillHeld(permissions, key.permissions)
    },
  }
}

function remembered(decide: (permission: string) => boolean): (permission: string) => boolean {
  const answers = new Map<string, boolean>()
  return (permission) => {
    const before = answers.get(permission)
    if (before !== undefined) return before
    const answer = decide(permission)
    if (answers.size < ANSWERS_REMEMBERED) answers.set(permission, answer)
    return answer
  }
}

function rejected(why: string): Refusal {
  return new Refusal('unauthenticated', 'token_rejected', `The token ${why}. Run the handshake again.`)
}

function behind(why: string): Refusal {
  const detail = `As far as the views have come, the token ${why}; it is new. Call again in a moment.`
  return new Refusal('unavailable', 'behind', detail, { retry_after: RETRY_AFTER_S })
}
