// The handshake: a one-time challenge, signed with the key's secret, is exchanged for a bearer token. Nothing is
// recorded. An unknown prefix gets the same answers in the same order as a known one.

import { keyedDigest, type WorkingKeys } from '../credentials/master.ts'
import { challengeMessage, verifyEd25519, verifyHmac } from '../credentials/signatures.ts'
import { fromBase64url, idText, toBase64url } from '../credentials/text.ts'
import type { Tokens } from '../credentials/tokens.ts'
import { Refusal } from '../domain/decider.ts'
import type { Key, KeyAlgorithm } from '../domain/key.ts'
import { grant } from '../domain/permissions.ts'
import { drawRandomBytes } from '../runtime/random-bytes.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import type { Transient } from '../stores/contract/transient.ts'
import type { Vault } from '../stores/contract/vault.ts'

const CHALLENGE_LIFETIME_MS = 60_000
/** How far the clock of a caller may differ. */
export const TIMESTAMP_TOLERANCE_S = 60
/** Sent to callers. Without requested permissions the signed text is empty. */
const PERMISSIONS_FORMAT = "requested permissions sorted and joined with '|', or empty for all"
const MESSAGE_FORMAT = '{request_id}.{nonce}.{unix_ts}.{permissions}'

export interface HandshakeDeps {
  readonly transient: Transient
  readonly vault: Vault
  readonly tokens: Tokens
  readonly keys: WorkingKeys
  /** The present key of a prefix, or null. */
  keyOf(prefix: string): Promise<Key | null>
}

export interface Challenge {
  readonly request_id: string
  readonly nonce: string
  readonly expires_at: string
  readonly algorithm: KeyAlgorithm
  readonly message_format: string
  readonly permissions_format: string
}

/** A challenge for any prefix; unknown and revoked ones get a decoy. */
export async function challenge(deps: HandshakeDeps, prefix: string, nowMs: number): Promise<Challenge> {
  const key = await deps.keyOf(prefix)
  const requestId = idText(drawRandomBytes(15))
  const nonce = toBase64url(drawRandomBytes(24))
  const expiresMs = nowMs + CHALLENGE_LIFETIME_MS
  await deps.transient
    .put(`challenge:${requestId}`, JSON.stringify([prefix, nonce]), { nowMs, expiresMs })
    .catch(noRoom)
  return {
    request_id: requestId,
    nonce,
    expires_at: new Date(expiresMs).toISOString(),
    algorithm: key !== null && !key.revoked ? key.algorithm : decoyAlgorithm(deps.keys, prefix),
    message_format: MESSAGE_FORMAT,
    permissions_format: PERMISSIONS_FORMAT,
  }
}

function noRoom(error: unknown): never {
  if (error instanceof StoreUnavailable) throw error
  const detail = 'Too many challenges are waiting to be redeemed. Try again in a moment.'
  throw new Refusal('unavailable', 'store_away', detail)
}

function decoyAlgorithm(keys: WorkingKeys, prefix: string): KeyAlgorithm {
  const [first = 0] = keyedDigest(keys.decoy, prefix)
  return first % 2 === 0 ? 'hmac-sha256' : 'ed25519'
}

export interface Redeem {
  readonly prefix: string
  readonly requestId: string
  readonly signature: string
  /** Unix seconds. */
  readonly unixTs: number
  readonly permissions: readonly string[]
}

export interface Token {
  readonly token: string
  /** Unix seconds. */
  readonly expires_at: number
  readonly permissions: readonly string[]
  readonly declined: readonly string[]
}

/**
 * Uses up the challenge, then checks the time, then the signature. 401 `timestamp_out_of_range` if the time is wrong,
 * else 401 `challenge_rejected`.
 */
export async function redeem(deps: HandshakeDeps, call: Redeem, nowMs: number): Promise<Token> {
  const { prefix, requestId, unixTs, permissions } = call
  const stored = await deps.transient.take(`challenge:${requestId}`, nowMs)
  const [askedBy, nonce] = stored === null ? [null, ''] : (JSON.parse(stored) as [string, string])
  if (askedBy !== prefix) throw rejected()
  const serverTime = Math.floor(nowMs / 1000)
  if (Math.abs(unixTs - serverTime) > TIMESTAMP_TOLERANCE_S) {
    throw new Refusal(
      'unauthenticated',
      'timestamp_out_of_range',
      `unix_ts is more than ${TIMESTAMP_TOLERANCE_S} seconds from the server's clock. Set your clock or sign server_time, and request a new challenge.`,
      { server_time: serverTime },
    )
  }
  const key = await deps.keyOf(prefix)
  const message = challengeMessage(requestId, nonce, unixTs, permissions)
  const proven = await proves(deps, prefix, key, message, call.signature)
  if (key === null || key.revoked || !proven) throw rejected()
  const { granted, declined } = grant(key.permissions, permissions)
  const claims = { key: prefix, game: key.game, permissions: granted, player: null, session: null }
  const { token, expiresAt } = await deps.tokens.issue(claims, nowMs)
  return { token, expires_at: expiresAt, permissions: granted, declined }
}

/** A public key without a private one, so that an unknown prefix costs a verification too. */
const NOBODY = Buffer.alloc(32, 0x58)

async function proves(
  { vault, keys }: HandshakeDeps,
  prefix: string,
  key: Key | null,
  message: string,
  signature: string,
): Promise<boolean> {
  const algorithm = key?.algorithm ?? decoyAlgorithm(keys, prefix)
  if (algorithm === 'ed25519') {
    const publicKey = fromBase64url(key?.publicKey ?? '', 32)
    return verifyEd25519(publicKey ?? NOBODY, message, signature) && publicKey !== null
  }
  const secret = await vault.get('key-secret', prefix)
  const text = secret === null ? prefix : Buffer.from(secret).toString('utf8')
  return verifyHmac(text, message, signature) && secret !== null
}

function rejected(): Refusal {
  return new Refusal(
    'unauthenticated',
    'challenge_rejected',
    'The challenge is unknown, used or expired, or its signature is wrong. Request a new challenge and sign it.',
  )
}
