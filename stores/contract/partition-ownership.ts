// The partitions that this process owns, and a signal when that set changes. Leases assign them
// (stores/contract/leases.ts).

export interface OwnedPartitions {
  readonly partitions: ReadonlySet<number>
  /** Aborts when the set of owned partitions changes. */
  readonly changed: AbortSignal
}

export interface PartitionOwnership {
  now(): OwnedPartitions
}
