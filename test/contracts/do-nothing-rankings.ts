// Rankings that do nothing, on which every check of the contract must fail.

import type { Rankings } from '../../stores/contract/rankings.ts'

export function createDoNothingRankings(): Rankings {
  return {
    put: async () => {},
    load: async () => {},
    drop: async () => {},
    size: async () => 0,
    before: async () => 0,
    rank: async () => null,
    range: async () => [],
    around: async () => null,
  }
}
