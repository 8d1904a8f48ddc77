// Token buckets that admit every call.

import type { Rates } from '../../stores/contract/transient.ts'

export async function doNothingRates(): Promise<Rates> {
  return {
    take: async (buckets) => buckets.map(() => ({ admitted: true, remaining: 0, retryAfterMs: 0 })),
    spend: async ({ burst }) => burst,
    enter: async (windows) => windows.map(() => 0),
    leave: async () => {},
  }
}
