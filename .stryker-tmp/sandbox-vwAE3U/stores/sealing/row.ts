// The stored form of a secret: the id of its master key, then the encrypted value.

import type { Placed } from '../contract/vault.ts'
import { KEY_BYTES, seal, unseal } from './cipher.ts'

export interface MasterKey {
  /** One to 255 bytes of UTF-8. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

/** What is sealed takes the current key; what is opened may also be under a previous one. */
export interface MasterKeys<Key extends MasterKey = MasterKey> {
  readonly current: Key
  readonly previous: readonly Key[]
}

/** By id. Throws RangeError for a key that is none. */
export function byId<Key extends MasterKey>({ current, previous }: MasterKeys<Key>): ReadonlyMap<string, Key> {
  return new Map([...previous, current].map((master) => [master.id, checked(master)]))
}

export function sealRow({ id, key }: MasterKey, place: Placed, value: Uint8Array): Uint8Array {
  const name = Buffer.from(id)
  return Buffer.concat([Uint8Array.of(name.length), name, seal(key, value, boundTo(place))])
}

/** Of the key that a row is sealed under; empty for a row that is, as one that was buried. */
export function keyIdOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(1, nameEnd(sealed))).toString()
}

/** Null where it was not sealed under this key for this place, or was changed since. */
export function openRow({ key }: MasterKey, place: Placed, sealed: Uint8Array): Uint8Array | null {
  const value = unseal(key, sealed.subarray(nameEnd(sealed)), boundTo(place))
  return value === null ? null : new Uint8Array(value)
}

const nameEnd = (sealed: Uint8Array): number => 1 + (sealed[0] ?? 0)

/** No kind holds a slash, so no two secrets are bound to the same text. */
const boundTo = ({ kind, id }: Placed): string => `${kind}/${id}`

function checked<Key extends MasterKey>(master: Key): Key {
  const { id, key } = master
  const nameBytes = Buffer.byteLength(id)
  if (nameBytes < 1 || nameBytes > 255) throw new RangeError('The id of a master key has 1 to 255 bytes')
  if (key.length !== KEY_BYTES) throw new RangeError(`Master key ${id} must have ${KEY_BYTES} bytes, not ${key.length}`)
  return master
}
