// The holding of who is alone on the stores, for good.

import { ALL_PARTITIONS } from '../../domain/partition.ts'
import type { Holding } from '../../stores/contract/holding.ts'

export const holdsAll: Holding = {
  now: () => ({ partitions: new Set(ALL_PARTITIONS), changed: new AbortController().signal }),
}
