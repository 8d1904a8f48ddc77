// The stored form of a secret: the id of its master key, then the encrypted value.

import type { SecretReference } from '../../contract/vault.ts'
import { KEY_BYTES, seal, unseal } from './cipher.ts'

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
