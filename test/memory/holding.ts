// The holding of who is alone on the stores, for good.

import type { Holding } from '../../stores/contract/holding.ts'
import { ALL_PARTITIONS } from '../../stores/contract/partition.ts'

export const holdsAll: Holding = {
  now: () => ({ partitions: new Set(ALL_PARTITIONS), changed: new AbortController().signal }),
}
