// Read models that acknowledge writes and keep nothing.

import type { Views } from '../../stores/contract/views.ts'

export async function doNothingViews(): Promise<Views> {
  return {
    prepare: async () => {},
    list: async () => [],
    drop: async () => {},
    checkpoints: async () => new Map(),
    get: async (_view, _collection, ids) => ids.map(() => null),
    current: async () => null,
    find: async () => [],
    count: async () => 0,
    scan: async () => [],
    commit: async () => {},
    durable: async () => {},
    close: async () => {},
  }
}
