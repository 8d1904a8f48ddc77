// Rankings that do nothing, on which every check of the contract must fail.

import type { Rankings } from '../../stores/contract/rankings.ts'

export function createDoNothingRankings(): Rankings {
  return {
    putMax: 0,
    isFilled: async () => false,
    fill: async () => {},
    put: async () => {},
    size: async () => 0,
    before: async () => 0,
    ranks: async (_, members) => members.map(() => null),
    range: async () => [],
    around: async () => null,
  }
}
