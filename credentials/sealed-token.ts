// Short texts as tokens that tell nobody anything: not what they say, nor which of two is the later, nor whether two
// say the same. SIV (Rogaway and Shrimpton, 2006): a MAC over all that is sealed, a number used once among it, is
// shown, and is where the keystream begins. Built on two ciphers that are made once, as making one costs more than all
// of the rest.

import { createCipheriv, randomBytes, timingSafeEqual } from 'node:crypto'
import { fromBase64url } from './text.ts'

const BLOCK = 16
/**
 * What is sealed: a block that never comes twice, and the text with zeros after it.
 * Always as long, as the MAC requires.
 */
const TEXT = 64
const SEALED = BLOCK + TEXT
const TOKEN = BLOCK + SEALED
const COUNTER_BYTES = 6
/** Of AES-256. */
const KEY = 32

export interface TokenSeal {
  /**
   * 128 characters of A–Z, a–z, 0–9, `-` and `_`, others each time. Throws RangeError for more than 64 bytes of ASCII
   * without NUL.
   */
  seal(text: string): string
  /** What was sealed, or null for what this key did not. */
  open(token: string): string | null
}

/** `key` is 64 bytes: one half for the MAC, one for the keystream. */
export function createTokenSeal(key: Uint8Array): TokenSeal {
  const mac = createMac(key.subarray(0, KEY))
  const keystream = createKeystream(key.subarray(KEY, 2 * KEY))
  /** Names this process, and counts what it seals. */
  const once = randomBytes(BLOCK)
  let count = 0
  // Worked on in place: nothing here waits.
  const token = Buffer.alloc(TOKEN)
  const sealed = token.subarray(BLOCK)

  return {
    seal(text) {
      if (text.length > TEXT) throw new RangeError(`a token holds ${TEXT} characters, and not ${text.length}`)
      once.writeUIntBE(++count, BLOCK - COUNTER_BYTES, COUNTER_BYTES)
      sealed.fill(0, BLOCK).set(once)
      sealed.write(text, BLOCK, 'latin1')
      token.set(mac(sealed))
      overlay(sealed, keystream(token), SEALED)
      return token.toString('base64url')
    },
    open(text) {
      const sent = fromBase64url(text, TOKEN)
      if (sent === null) return null
      token.set(sent)
      overlay(sealed, keystream(token), SEALED)
      if (!timingSafeEqual(mac(sealed), sent.subarray(0, BLOCK))) return null
      const end = sealed.indexOf(0, BLOCK)
      return sealed.toString('latin1', BLOCK, end === -1 ? SEALED : end)
    },
  }
}

/**
 * CBC-MAC, which is a sound one where all that it is made of is equally long. The cipher goes on from its last block;
 * with that laid over the first one of what comes, it begins anew.
 */
function createMac(key: Uint8Array): (sealed: Uint8Array) => Uint8Array {
  const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(BLOCK)).setAutoPadding(false)
  const anew = Buffer.alloc(SEALED)
  let last: Uint8Array = Buffer.alloc(BLOCK)
  return (sealed) => {
    anew.set(sealed)
    overlay(anew, last, BLOCK)
    last = cipher.update(anew).subarray(SEALED - BLOCK)
    return last
  }
}

/**
 * Counter mode from the first block of what is given. The last byte alone counts: a token's five blocks differ, and no
 * two tokens begin alike.
 */
function createKeystream(key: Uint8Array): (from: Uint8Array) => Uint8Array {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const counters = Buffer.alloc(SEALED)
  return (from) => {
    for (let at = 0; at < SEALED; at++) counters[at] = from[at % BLOCK] as number
    for (let n = 1; n * BLOCK < SEALED; n++) counters[n * BLOCK + BLOCK - 1] = (from[BLOCK - 1] as number) + n
    return cipher.update(counters)
  }
}

function overlay(bytes: Uint8Array, other: Uint8Array, length: number): void {
  for (let at = 0; at < length; at++) bytes[at] = (bytes[at] as number) ^ (other[at] as number)
}
