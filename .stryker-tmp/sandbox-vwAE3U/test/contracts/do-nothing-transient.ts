// A transient store that keeps nothing.

import type { Transient } from '../../stores/contract/transient.ts'

export async function doNothingTransient(): Promise<Transient> {
  return {
    put: async () => {},
    take: async () => null,
    guess: async () => true,
    claim: async () => true,
    release: async () => {},
  }
}
