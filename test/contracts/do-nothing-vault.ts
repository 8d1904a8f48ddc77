// A vault that answers and keeps nothing.

import type { Vault } from '../../stores/contract/vault.ts'

export async function doNothingVault(): Promise<Vault> {
  return {
    putIfAbsent: async (_kind, _id, value) => value,
    get: async () => null,
    replace: async () => false,
    destroy: async () => {},
    bury: async () => {},
    close: async () => {},
  }
}
