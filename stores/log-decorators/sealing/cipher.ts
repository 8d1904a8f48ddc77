// AES-256-GCM for both layers of encryption: a random nonce before each text, and the tag after it.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32

/** Returns nonce, ciphertext and tag. `bound` is authenticated but not stored; decryption needs the same value. */
export function seal(key: Uint8Array, plain: Uint8Array, bound: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Null if it was encrypted with another key or `bound`, or was changed. */
export function unseal(key: Uint8Array, sealed: Uint8Array, bound: string): Buffer | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const end = sealed.length - TAG_BYTES
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(bound)).setAuthTag(sealed.subarray(end))
  const plain = decipher.update(sealed.subarray(NONCE_BYTES, end))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return null
  }
}
