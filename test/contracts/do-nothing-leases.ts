// Leases that are never granted.

import type { LeasesWorld } from './leases-model.ts'

export function doNothingLeases(leaseMs: number): LeasesWorld {
  let nowMs = 0
  return {
    leases: { heartbeat: async () => ({ owned: [], used: [] }), leave: async () => {} },
    leaseMs,
    now: async () => nowMs,
    pass: async (ms) => {
      nowMs += ms
    },
  }
}
