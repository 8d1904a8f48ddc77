// Rankings that do nothing; every contract check must fail on them.

import type { AllRankings, Rankings } from '../../stores/contract/rankings.ts'

const nothing: Rankings = {
  isFilled: async () => false,
  isCurrent: async () => false,
  beginFill: async () => ({ finish: async () => {} }),
  put: async () => {},
  size: async () => 0,
  before: async () => 0,
  ranks: async (_, sortKeys) => sortKeys.map(() => null),
  range: async () => [],
  around: async () => null,
}

export function createDoNothingRankings(): AllRankings {
  return { putMax: 0, of: () => nothing, drop: async () => {} }
}
