// Ownership of all partitions, forever, for a node that is alone.

import { ALL_PARTITIONS } from '../../domain/partition.ts'
import type { PartitionOwnership } from '../../stores/contract/leases.ts'

export const ownsAll: PartitionOwnership = {
  now: () => ({ partitions: new Set(ALL_PARTITIONS), changed: new AbortController().signal }),
}
