// Bearer tokens: JWTs (HS256) issued by `jose` and verified by `node:crypto`, with a bounded cache of verified ones. A
// token says only what was granted; access/authenticate.ts checks on every call that key, session and player are still
// valid.

import { createHmac, timingSafeEqual, webcrypto } from 'node:crypto'
import { SignJWT } from 'jose'
import { lru, lruOfSize } from '../runtime/lru.ts'
import { drawRandomBytes } from '../runtime/random-bytes.ts'

export const TOKEN_LIFETIME_S = 60 * 60
/** Maximum estimated bytes of cached tokens, some 100,000 of players. The least recently used are dropped. */
export const MAX_CACHED_TOKEN_BYTES = 144 * 2 ** 20
/** Bytes of a cached token besides its text and the texts of its claims, which are about as long. */
const TOKEN_BYTES_BESIDE = 256
/** Grants that later tokens share: key, game and permissions. A dropped one stays in the cached tokens that have it. */
const MAX_CACHED_GRANTS = 1_024
const TOKEN_MAX_LENGTH = 16 * 1024
const ISSUER = 'scorebook'
const ID_BYTES = 12

const randomId = (): string => drawRandomBytes(ID_BYTES).toString('base64url')

export interface Claims {
  /** Prefix of the API key. */
  readonly key: string
  readonly game: string | null
  /**
   * Tokens with the same key, game and permissions usually share this array, so that what they may do is computed once.
   */
  readonly permissions: readonly string[]
  readonly player: string | null
  readonly session: string | null
  /** Unique id of a token without a player, because many devices share a game client's key; else null. */
  readonly id: string | null
  /** Unix seconds. */
  readonly expiresAt: number
}

type Grant = Pick<Claims, 'key' | 'game' | 'permissions'>

export interface Tokens {
  /** Valid for an hour from `nowMs`, or until `expiresAt` (Unix seconds). */
  issue(
    claims: Omit<Claims, 'id' | 'expiresAt'>,
    nowMs: number,
    expiresAt?: number,
  ): Promise<{ token: string; expiresAt: number }>
  /** The claims of a token that this installation issued and that has not expired; else null. */
  check(token: string, nowMs: number): Claims | null
}

interface Payload {
  readonly iss: string
  readonly sub: string
  readonly exp: number
  readonly game: string | null
  readonly permissions: readonly string[]
  readonly player: string | null
  readonly session: string | null
  readonly jti?: string
}

/** `secret` is 32 bytes. `maxBytes`: of cached tokens. */
export function createTokens(secret: Uint8Array, maxBytes = MAX_CACHED_TOKEN_BYTES): Tokens {
  const checked = lruOfSize<string, Claims>(maxBytes, (_, token) => 2 * token.length + TOKEN_BYTES_BESIDE)
  // `jose` would import a key of bytes again for each token.
  const signingKey = webcrypto.subtle.importKey(
    'raw',
    Uint8Array.from(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const grants = lru<string, Grant>(MAX_CACHED_GRANTS)
  /** The same arrays and strings for equal grants: a game client's key has a token for each of its players. */
  const sharedGrant = ({ key, game, permissions }: Claims): Grant => {
    const text = JSON.stringify([key, game, permissions])
    const known = grants.get(text)
    if (known !== undefined) return known
    const grant = { key, game, permissions }
    grants.set(text, grant)
    return grant
  }
  return {
    async issue({ key, game, permissions, player, session }, nowMs, until) {
      const issuedAt = Math.floor(nowMs / 1000)
      const expiresAt = until ?? issuedAt + TOKEN_LIFETIME_S
      const token = await new SignJWT({
        game,
        permissions,
        player,
        session,
        ...(player === null ? { jti: randomId() } : {}),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setSubject(key)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(await signingKey)
      return { token, expiresAt }
    },
    check(token, nowMs) {
      let claims = checked.get(token)
      if (claims === undefined) {
        const read = signedClaims(secret, token)
        if (read === null) return null
        claims = { ...read, ...sharedGrant(read) }
        checked.set(token, claims)
      }
      if (claims.expiresAt * 1000 > nowMs) return claims
      checked.delete(token)
      return null
    },
  }
}

/** The header of every token, with the point after it; tokens with another header are rejected. */
const HEADER = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.`

function signedClaims(secret: Uint8Array, token: string): Claims | null {
  if (token.length > TOKEN_MAX_LENGTH) return null
  const end = token.lastIndexOf('.')
  if (end < HEADER.length || !token.startsWith(HEADER)) return null
  // Compared as text, so that only the canonical encoding of a signature is valid.
  const expected = Buffer.from(createHmac('sha256', secret).update(token.slice(0, end)).digest('base64url'))
  const given = Buffer.from(token.slice(end + 1))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const read: Payload = JSON.parse(Buffer.from(token.slice(HEADER.length, end), 'base64url').toString('utf8'))
  const { iss, sub: key, exp: expiresAt, game, permissions, player, session, jti: id = null } = read
  return iss === ISSUER ? { key, game, permissions, player, session, id, expiresAt } : null
}
