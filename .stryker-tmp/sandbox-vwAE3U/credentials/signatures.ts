// How a key proves itself: the message of a challenge, its two kinds of signature, checked strictly, and what makes
// keys. `node:crypto` verifies (0.1 ms, refuses S >= L); `tweetnacl` makes key pairs; `@noble/ed25519` looks at public
// keys.

import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { Point } from '@noble/ed25519'
import nacl from 'tweetnacl'
import { fromBase64url, toBase64url } from './text.ts'

export const HMAC_SIGNATURE_LENGTH = 43
export const ED25519_SIGNATURE_LENGTH = 86

/**
 * What is signed: `{request_id}.{nonce}.{unix_ts}.{permissions}`, permissions sorted by code unit and joined with `|`.
 */
export function challengeMessage(
  requestId: string,
  nonce: string,
  unixTs: number,
  permissions: readonly string[],
): string {
  return `${requestId}.${nonce}.${unixTs}.${[...permissions].sort().join('|')}`
}

/** HMAC-SHA256 keyed with the secret's text as UTF-8; the signature as 43 characters of base64url. Constant time. */
export function hmacProves(secret: string, message: string, signature: string): boolean {
  const given = fromBase64url(signature, 32)
  if (given === null) return false
  return timingSafeEqual(given, createHmac('sha256', secret).update(message).digest())
}

/** Ed25519 under a public key of 32 bytes; the signature as 86 characters of base64url. */
export function ed25519Proves(publicKey: Uint8Array, message: string, signature: string): boolean {
  const given = fromBase64url(signature, 64)
  if (given === null) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64url(publicKey) }
  try {
    return verify(null, Buffer.from(message), createPublicKey({ key: jwk, format: 'jwk' }), given)
  } catch {
    return false
  }
}

/** Whether 32 bytes are a point of the curve, in its one spelling, and not of small order. */
export function isSoundPublicKey(bytes: Uint8Array): boolean {
  try {
    return !Point.fromBytes(bytes, false).isSmallOrder()
  } catch {
    return false
  }
}

/** The pair that a seed of 32 bytes makes. */
export function ed25519Pair(seed: Uint8Array): { publicKey: Uint8Array; privateKey: Uint8Array } {
  return { publicKey: nacl.sign.keyPair.fromSeed(seed).publicKey, privateKey: seed }
}
