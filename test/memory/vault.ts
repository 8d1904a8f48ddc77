// The vault in memory, for simulations: the same promises, no clock, no I/O.

import type { SecretKind, Vault } from '../../stores/contract/vault.ts'

export function createMemoryVault(): Vault {
  const secrets = new Map<string, Uint8Array>()
  const keyOf = (kind: SecretKind, id: string) => `${kind}/${id}`

  return {
    putIfAbsent: async (kind, id, value) => {
      const standing = secrets.get(keyOf(kind, id)) ?? new Uint8Array(value)
      secrets.set(keyOf(kind, id), standing)
      return new Uint8Array(standing)
    },
    get: async (kind, id) => {
      const standing = secrets.get(keyOf(kind, id))
      return standing === undefined ? null : new Uint8Array(standing)
    },
    replace: async (kind, id, value) => {
      const isThere = secrets.has(keyOf(kind, id))
      if (isThere) secrets.set(keyOf(kind, id), new Uint8Array(value))
      return isThere
    },
    destroy: async (kind, id) => {
      secrets.delete(keyOf(kind, id))
    },
    bury: async (kind, id) => {
      secrets.set(keyOf(kind, id), new Uint8Array(0))
    },
    close: async () => {},
  }
}
