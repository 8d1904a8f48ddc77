// A vault that acknowledges writes and keeps nothing.

import type { VaultStore } from '../../stores/contract/vault.ts'

export async function doNothingVault(): Promise<VaultStore> {
  return {
    putIfAbsent: async (_kind, _id, value) => value,
    get: async () => null,
    replace: async () => false,
    destroy: async () => {},
    destroyForGood: async () => {},
    idsOf: async () => [],
    scan: async () => [],
    swap: async () => false,
    close: async () => {},
  }
}
