// Authenticates a bearer token on every call: checks the token, then that its key, session and player are still valid.
// A token never has more permissions than its key has now.

import { TOKEN_LIFETIME_S, type Tokens } from '../credentials/tokens.ts'
import { Refusal } from '../domain/decider.ts'
import type { Key } from '../domain/key.ts'
import { anyCovers, heldOf, keyCovers } from '../domain/permissions.ts'
import { bannedRefusal, isBanned } from '../domain/player.ts'
import { isSignedOut } from '../domain/session.ts'
import { lru } from '../runtime/lru.ts'
import type { Identity, IdentityStatus, Statuses } from './statuses.ts'

/** Keys with the permissions of their tokens whose rights are cached. The least recently used are dropped. */
const MAX_CACHED_RIGHTS = 1_024
/** Answers of `may` cached for each of these. The least recently used are dropped. */
const MAX_CACHED_ANSWERS = 128
/** How long after its issue a token's key, session or player may be missing from the views. */
const FRESH_MS = 10_000
const RETRY_AFTER_S = 1

export interface Access {
  /** Prefix of the API key. */
  readonly key: string
  readonly kind: 'server' | 'client'
  /** The token's game; null for a token of the whole installation, which only operator keys have. */
  readonly game: string | null
  /** Whether it is a token of a game that an operator key asked for: it makes no sessions and no keys. */
  readonly isOperatorInGame: boolean
  readonly player: string | null
  readonly session: string | null
  /** The token's id, if it has no player. */
  readonly token: string | null
  /** The token's permissions that its key still has, possibly with `*`. A token made from this one gets no others. */
  readonly permissions: readonly string[]
  /** The permissions at the token's issue, even if its key has lost some since. */
  readonly issuedWith: readonly string[]
  /** When the token expires, in Unix seconds. */
  readonly expiresAt: number
  /** Whether token and key both have a permission that covers this one (an exact string, no `*`). */
  may(permission: string): boolean
}

/**
 * 401 `token_rejected` for a token that is invalid or expired, or whose key, session or player is no longer valid. 403
 * `player_banned`. 503 `behind` for a token so new that the views may not contain its key, session or player yet.
 * Throws StoreUnavailable if the status cannot be read.
 */
export async function authenticate(statuses: Statuses, tokens: Tokens, token: string, nowMs: number): Promise<Access> {
  const claims = tokens.check(token, nowMs)
  if (claims === null) throw rejected('is invalid or has expired')
  if (statuses.isDeleted(claims.game)) throw rejected('belongs to a deleted game')
  const found = statuses.cached(claims) ?? (await statuses.read(claims))
  const isFresh = nowMs < (claims.expiresAt - TOKEN_LIFETIME_S) * 1_000 + FRESH_MS
  const key = actingKey(claims, found, nowMs, { rejected, absent: isFresh && found.mayStillAppear ? behind : rejected })
  const { key: prefix, game, player, session, id, permissions: issuedWith, expiresAt } = claims
  const { may, permissions } = rightsOf(key, game, issuedWith)
  const isOperatorInGame = key.game === null && game !== null
  const { kind } = key
  return {
    key: prefix,
    kind,
    game,
    isOperatorInGame,
    player,
    session,
    token: id,
    permissions,
    issuedWith,
    expiresAt,
    may,
  }
}

interface KeyRefusals {
  readonly rejected: (reason: string) => Refusal
  /** Default: `rejected`. */
  readonly absent?: (reason: string) => Refusal
}

/**
 * The caller's key, if the key, session and player are still valid. Otherwise throws `rejected(reason)` or 403
 * `player_banned`; if none of them is over but one is missing, throws `absent(reason)`.
 */
export function actingKey(
  identity: Identity,
  { key, session, player }: IdentityStatus,
  nowMs: number,
  { rejected, absent = rejected }: KeyRefusals,
): Key {
  if (key?.revoked) throw rejected('was issued to a key that has been revoked')
  const isOver = session !== null && (session.ended || session.expiresMs <= nowMs)
  if (isOver || (session !== null && isSignedOut(session, player?.signOuts))) {
    throw rejected('belongs to a session that has ended')
  }
  if (player?.deleted) throw rejected('belongs to a deleted player')
  if (key === null) throw absent('was issued to an unknown key')
  if (session === null && identity.session !== null) throw absent('belongs to an unknown session')
  if (player === null && identity.player !== null) throw absent('belongs to an unknown player')
  if (player !== null && isBanned(player.banned, nowMs)) throw bannedRefusal(player.banned)
  return key
}

/** What tokens may do: the same for all players of a key whose tokens were issued with the same permissions. */
type Rights = Pick<Access, 'may' | 'permissions'>

/**
 * By identity of the permissions array in the claims; valid while the key is the same object and the token is of the
 * same game. All callers of this module share it.
 */
const cachedRights = lru<
  readonly string[],
  { readonly key: Key; readonly game: string | null; readonly rights: Rights }
>(MAX_CACHED_RIGHTS)

function rightsOf(key: Key, game: string | null, issuedWith: readonly string[]): Rights {
  const cached = cachedRights.get(issuedWith)
  if (cached?.key === key && cached.game === game) return cached.rights
  const rights = { may: mayOf(key, game, issuedWith), permissions: heldOf(key, game, issuedWith) }
  cachedRights.set(issuedWith, { key, game, rights })
  return rights
}

function mayOf(key: Key, game: string | null, issuedWith: readonly string[]): Access['may'] {
  const answers = lru<string, boolean>(MAX_CACHED_ANSWERS)
  return (permission) => {
    const before = answers.get(permission)
    if (before !== undefined) return before
    const answer = anyCovers(issuedWith, permission) && keyCovers(key, game, permission)
    answers.set(permission, answer)
    return answer
  }
}

function rejected(reason: string): Refusal {
  return new Refusal('unauthenticated', 'token_rejected', `The token ${reason}. Run the handshake again.`)
}

function behind(): Refusal {
  const detail = 'The token is too new for this server. Send the call again in a moment.'
  return new Refusal('unavailable', 'behind', detail, { retry_after: RETRY_AFTER_S })
}
