// Revocations that are never delivered.

import type { Revocations } from '../../stores/contract/revocations.ts'

export async function doNothingRevocations(): Promise<Revocations> {
  return {
    note: async () => {},
    since: async () => ({ version: '', changes: [], whole: true, more: false }),
    find: async () => [],
  }
}
