// The vault in memory, for simulations: passes the same contract, without clock and I/O.

import type { SecretKind, SecretReference, VaultStore } from '../../stores/contract/vault.ts'
import { hasNul } from '../../stores/support/storable.ts'

export function createMemoryVault(): VaultStore {
  const secrets = new Map<string, Uint8Array>()
  const keyOf = (kind: SecretKind, id: string) => {
    if (hasNul(id)) throw new TypeError('The id of a secret must not hold NUL characters')
    return `${kind}/${id}`
  }

  return {
    putIfAbsent: async (kind, id, value) => {
      const present = secrets.get(keyOf(kind, id)) ?? new Uint8Array(value)
      secrets.set(keyOf(kind, id), present)
      return new Uint8Array(present)
    },
    get: async (kind, id) => {
      const present = hasNul(id) ? undefined : secrets.get(keyOf(kind, id))
      return present === undefined ? null : new Uint8Array(present)
    },
    replace: async (kind, id, value) => {
      const isThere = secrets.has(keyOf(kind, id))
      if (isThere) secrets.set(keyOf(kind, id), new Uint8Array(value))
      return isThere
    },
    destroy: async (kind, id) => {
      secrets.delete(keyOf(kind, id))
    },
    destroyForGood: async (kind, id) => {
      secrets.set(keyOf(kind, id), new Uint8Array(0))
    },
    idsOf: async (kind, after, limit) =>
      [...secrets.keys()]
        .filter((key) => key.startsWith(`${kind}/`) && (after === null || key > keyOf(kind, after)))
        .sort()
        .slice(0, limit)
        .map((key) => referenceOf(key).id),
    scan: async (after, limit) =>
      [...secrets]
        .filter(([key]) => after === null || key > keyOf(after.kind, after.id))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .slice(0, limit)
        .map(([key, value]) => ({ ...referenceOf(key), value: new Uint8Array(value) })),
    swap: async ({ kind, id }, before, after) => {
      const present = secrets.get(keyOf(kind, id))
      if (present === undefined || !Buffer.from(present).equals(before)) return false
      secrets.set(keyOf(kind, id), new Uint8Array(after))
      return true
    },
    close: async () => {},
  }
}

function referenceOf(key: string): SecretReference {
  const slash = key.indexOf('/')
  return { kind: key.slice(0, slash) as SecretKind, id: key.slice(slash + 1) }
}
