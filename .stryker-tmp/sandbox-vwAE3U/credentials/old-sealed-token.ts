// Opens the consistency tokens of versions before 0.2.0 (SIV built from AES-CBC and AES-ECB), so that callers may send
// tokens from before the upgrade. 0.3.0 deletes this file, its test, and `oldConsistency` in master.ts.

import { createCipheriv, timingSafeEqual } from 'node:crypto'
import type { TokenSeal } from './sealed-token.ts'
import { fromBase64url } from './text.ts'

const BLOCK = 16
const ENCRYPTED_BYTES = 5 * BLOCK
const TOKEN_BYTES = BLOCK + ENCRYPTED_BYTES
const TOKEN_LENGTH = 128
const KEY_BYTES = 32

/** Seals as `seal` does, and opens old tokens too. `key` is 64 bytes: for the MAC and for the keystream. */
export function acceptingOldTokens(seal: TokenSeal, key: Uint8Array): TokenSeal {
  return {
    seal: (text) => seal.seal(text),
    open: (token) => (token.length === TOKEN_LENGTH ? openOldToken(key, token) : seal.open(token)),
  }
}

/** The text of an old token, or null for a token that this key did not seal. */
export function openOldToken(key: Uint8Array, token: string): string | null {
  const bytes = fromBase64url(token, TOKEN_BYTES)
  if (bytes === null) return null
  const sentMac = bytes.subarray(0, BLOCK)
  const keystream = aes('aes-256-ecb', key.subarray(KEY_BYTES), null, counterBlocks(sentMac))
  const plain = bytes.subarray(BLOCK).map((byte, at) => byte ^ (keystream[at] as number))
  const mac = aes('aes-256-cbc', key.subarray(0, KEY_BYTES), Buffer.alloc(BLOCK), plain).subarray(-BLOCK)
  if (!timingSafeEqual(mac, sentMac)) return null
  // The first block is a counter that makes each token different.
  const text = Buffer.from(plain.subarray(BLOCK))
  const end = text.indexOf(0)
  return text.toString('latin1', 0, end === -1 ? text.length : end)
}

/** The MAC five times, its last byte counted up (modulo 256). */
function counterBlocks(mac: Uint8Array): Uint8Array {
  const blocks = Buffer.alloc(ENCRYPTED_BYTES)
  for (let at = 0; at < ENCRYPTED_BYTES; at += BLOCK) {
    blocks.set(mac, at)
    blocks[at + BLOCK - 1] = (mac[BLOCK - 1] as number) + at / BLOCK
  }
  return blocks
}

function aes(algorithm: string, key: Uint8Array, iv: Uint8Array | null, bytes: Uint8Array): Buffer {
  return createCipheriv(algorithm, key, iv).setAutoPadding(false).update(bytes)
}
