// The stored form of a secret: the id of its master key, then the encrypted value.

import { createCipheriv, createDecipheriv } from 'node:crypto'
import { drawRandomBytes } from '../../../runtime/random-bytes.ts'
import type { SecretReference } from '../../contract/vault.ts'

export interface MasterKey {
  /** 1 to 255 bytes of UTF-8. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

/** Encryption uses the current key; decryption also accepts previous ones. */
export interface MasterKeys<Key extends MasterKey = MasterKey> {
  readonly current: Key
  readonly previous: readonly Key[]
}

/** The keys by id. Throws RangeError for an invalid key. */
export function byId<Key extends MasterKey>({ current, previous }: MasterKeys<Key>): ReadonlyMap<string, Key> {
  return new Map([...previous, current].map((master) => [master.id, checked(master)]))
}

export function sealRow({ id, key }: MasterKey, reference: SecretReference, value: Uint8Array): Uint8Array {
  const name = Buffer.from(id)
  return Buffer.concat([Uint8Array.of(name.length), name, seal(key, value, boundTo(reference))])
}

/** The id of the key that a row is encrypted under; empty for an empty row (tombstone). */
export function keyIdOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(1, nameEnd(sealed))).toString()
}

/** Null if it was encrypted under another key or for another secret, or was changed. */
export function openRow({ key }: MasterKey, reference: SecretReference, sealed: Uint8Array): Uint8Array | null {
  const value = unseal(key, sealed.subarray(nameEnd(sealed)), boundTo(reference))
  return value === null ? null : new Uint8Array(value)
}

const nameEnd = (sealed: Uint8Array): number => 1 + (sealed[0] ?? 0)

/** Kinds contain no slash, so the text is unique per secret. */
const boundTo = ({ kind, id }: SecretReference): string => `${kind}/${id}`

function checked<Key extends MasterKey>(master: Key): Key {
  const { id, key } = master
  const nameBytes = Buffer.byteLength(id)
  if (nameBytes < 1 || nameBytes > 255) throw new RangeError('The id of a master key has 1 to 255 bytes')
  if (key.length !== KEY_BYTES) throw new RangeError(`Master key ${id} must have ${KEY_BYTES} bytes, not ${key.length}`)
  return master
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/**
 * AES-256-GCM: returns a random nonce, ciphertext and tag. `bound` is authenticated but not stored; decryption needs
 * the same value.
 */
export function seal(key: Uint8Array, plain: Uint8Array, bound: string): Buffer {
  const nonce = drawRandomBytes(NONCE_BYTES)
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
