// Signs challenges with WebCrypto, in browsers (https or localhost) and Node.

import type { Algorithm } from './shapes.ts'

/**
 * An API key as shown at its creation: an HMAC secret, or the seed of an Ed25519 pair (base64url), under the protocol's
 * or this library's field name. Other fields are ignored.
 */
export interface ApiKey {
  readonly prefix: string
  readonly secret?: string
  readonly privateKey?: string
  readonly private_key?: string
  /** The game of the key, as answers and key files name it. */
  readonly game?: string | null | undefined
}

export type Sign = (message: string) => Promise<string>

/** What precedes the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]
const SEED_BYTES = 32

/** The algorithm of this key. */
export function algorithmOf(key: ApiKey): Algorithm {
  return key.secret !== undefined ? 'hmac-sha256' : 'ed25519'
}

/** The signing function of a key: text to base64url without padding. Throws TypeError for an invalid key. */
export async function signerOf(key: ApiKey): Promise<Sign> {
  if (typeof key?.prefix !== 'string')
    throw new TypeError('connect needs a key, such as the parsed JSON of a key file: { key: { prefix, secret } }')
  const { subtle } = crypto
  if (key.secret !== undefined) {
    const hmac = { name: 'HMAC', hash: 'SHA-256' }
    const secret = await subtle.importKey('raw', utf8(key.secret), hmac, false, ['sign'])
    return async (message) => base64url(await subtle.sign('HMAC', secret, utf8(message)))
  }
  const seed = bytesOf(key.privateKey ?? key.private_key ?? '')
  if (seed.length !== SEED_BYTES)
    throw new TypeError('A key needs its secret, or as privateKey the base64url of a 32-byte Ed25519 seed')
  const pkcs8 = Uint8Array.from([...PKCS8_PREFIX, ...seed])
  const secret = await subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign'])
  return async (message) => base64url(await subtle.sign({ name: 'Ed25519' }, secret, utf8(message)))
}

/**
 * `{request_id}.{nonce}.{unix_ts}.{permissions}`: permissions sorted by code unit and joined with `|`, empty for all.
 */
export function challengeMessage(
  requestId: string,
  nonce: string,
  unixTs: number,
  permissions: readonly string[],
): string {
  return `${requestId}.${nonce}.${unixTs}.${[...permissions].sort().join('|')}`
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function bytesOf(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  } catch {
    throw new TypeError('privateKey must be base64url')
  }
}
