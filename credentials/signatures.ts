// Challenge messages and their signatures (HMAC-SHA256 or Ed25519), and Ed25519 key pairs. `node:crypto` verifies (0.1
// ms, rejects S >= L); `tweetnacl` generates key pairs; `@noble/ed25519` validates public keys.

import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { Point } from '@noble/ed25519'
import nacl from 'tweetnacl'
import { fromBase64url, toBase64url } from './text.ts'

export const HMAC_SIGNATURE_LENGTH = 43
export const ED25519_SIGNATURE_LENGTH = 86

/**
 * The signed text: `{request_id}.{nonce}.{unix_ts}.{permissions}`, permissions sorted by code unit and joined with `|`.
 */
export function challengeMessage(
  requestId: string,
  nonce: string,
  unixTs: number,
  permissions: readonly string[],
): string {
  return `${requestId}.${nonce}.${unixTs}.${[...permissions].sort().join('|')}`
}

/** Verifies HMAC-SHA256 keyed with the secret's UTF-8 bytes. `signature`: 43 characters of base64url. Constant time. */
export function verifyHmac(secret: string, message: string, signature: string): boolean {
  const given = fromBase64url(signature, 32)
  if (given === null) return false
  return timingSafeEqual(given, createHmac('sha256', secret).update(message).digest())
}

/** Verifies Ed25519. `publicKey`: 32 bytes; `signature`: 86 characters of base64url. */
export function verifyEd25519(publicKey: Uint8Array, message: string, signature: string): boolean {
  const given = fromBase64url(signature, 64)
  if (given === null) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64url(publicKey) }
  try {
    return verify(null, Buffer.from(message), createPublicKey({ key: jwk, format: 'jwk' }), given)
  } catch {
    return false
  }
}

/** Whether 32 bytes are the canonical encoding of a curve point that is not of small order. */
export function isSoundPublicKey(bytes: Uint8Array): boolean {
  try {
    return !Point.fromBytes(bytes, false).isSmallOrder()
  } catch {
    return false
  }
}

/** The key pair of a 32-byte seed. */
export function ed25519Pair(seed: Uint8Array): { publicKey: Uint8Array; privateKey: Uint8Array } {
  return { publicKey: nacl.sign.keyPair.fromSeed(seed).publicKey, privateKey: seed }
}
