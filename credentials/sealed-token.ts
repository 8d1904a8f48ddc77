// Seals short texts into tokens that only this installation opens (AES-256-GCM of node:crypto). A token reveals neither
// its text nor which of two tokens is newer, and sealing one text twice gives two different tokens.
//
// Nonces are random, so the number of tokens per key is limited: a process derives a key of its own (HKDF-SHA256) from
// a random salt, which each token carries, and takes a new salt after 65,536 tokens. NIST SP 800-38D allows 2^32 per
// key.

import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { lru } from '../runtime/lru.ts'
import { drawRandomBytes } from '../runtime/random-bytes.ts'
import { fromBase64url } from './text.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const LABEL = 'scorebook consistency token key 1'
const SALT_BYTES = 16
const NONCE_BYTES = 12
/** Texts are padded with NUL to this length, so that all tokens are equally long. */
const TEXT_BYTES = 64
const TAG_BYTES = 16
const TEXT_AT = SALT_BYTES + NONCE_BYTES
const TAG_AT = TEXT_AT + TEXT_BYTES
const TOKEN_BYTES = TAG_AT + TAG_BYTES

const TOKENS_PER_SALT = 65_536
/** Derived keys that `open` keeps. Deriving one takes about 12 µs. */
const MAX_CACHED_KEYS = 1_024

export interface TokenSeal {
  /**
   * 144 characters of A–Z, a–z, 0–9, `-` and `_`. `text`: at most 64 characters of ASCII without NUL, else RangeError.
   * About 5 µs.
   */
  seal(text: string): string
  /** The text of a token, or null for a token that this key did not seal. About 4 µs. */
  open(token: string): string | null
}

/** `key` is 32 bytes. */
export function createTokenSeal(key: Uint8Array): TokenSeal {
  const keys = lru<string, KeyObject>(MAX_CACHED_KEYS)
  let salt = Buffer.alloc(0)
  let saltKey: KeyObject | null = null
  let sealed = 0

  return {
    seal(text) {
      if (text.length > TEXT_BYTES) throw new RangeError(`a token takes ${TEXT_BYTES} characters, not ${text.length}`)
      if (saltKey === null || sealed === TOKENS_PER_SALT) {
        salt = drawRandomBytes(SALT_BYTES)
        saltKey = derive(key, salt)
        sealed = 0
      }
      sealed++
      const nonce = drawRandomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, saltKey, nonce)
      const encrypted = cipher.update(text.padEnd(TEXT_BYTES, '\0'), 'latin1')
      cipher.final()
      return Buffer.concat([salt, nonce, encrypted, cipher.getAuthTag()], TOKEN_BYTES).toString('base64url')
    },
    open(token) {
      const bytes = fromBase64url(token, TOKEN_BYTES)
      if (bytes === null) return null
      const sentSalt = bytes.subarray(0, SALT_BYTES)
      const name = sentSalt.toString('latin1')
      const known = keys.get(name)
      const openingKey = known ?? derive(key, sentSalt)
      const decipher = createDecipheriv(ALGORITHM, openingKey, bytes.subarray(SALT_BYTES, TEXT_AT), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(TAG_AT))
      const text = decipher.update(bytes.subarray(TEXT_AT, TAG_AT))
      try {
        decipher.final()
      } catch {
        return null
      }
      // Only after the check: made-up salts must not push out the keys in use.
      if (known === undefined) keys.set(name, openingKey)
      const end = text.indexOf(0)
      return text.toString('latin1', 0, end === -1 ? TEXT_BYTES : end)
    },
  }
}

function derive(key: Uint8Array, salt: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, salt, LABEL, KEY_BYTES)))
}
