// Tracks live nodes and assigns partitions to those that run the same views. Leases only avoid duplicate work: writes
// are correct without them, because each write is fenced by its position.

/** A process, as it describes itself in each heartbeat. */
export interface Node {
  /** Unique to this process. */
  readonly id: string
  /**
   * Names the set of views that the node runs. Nodes of one group divide the partitions among themselves. Null: the
   * node takes no partitions.
   */
  readonly group: string | null
  /** Keys (`name@version`) of the views that the node reads or writes; no node may drop them. */
  readonly uses: readonly string[]
}

export interface HeartbeatAnswer {
  /** Partitions that this node owns until `LEASE_MS` after the start of this call, in ascending order. */
  readonly owned: readonly number[]
  /** The view keys that live nodes use, including this one: ascending, without duplicates. */
  readonly used: readonly string[]
}

/** Lease duration by the store's clock. A node without a heartbeat for this long is dead and loses its partitions. */
export const LEASE_MS = 6_000
/** Heartbeat interval: two heartbeats may fail before a lease expires. */
export const BEAT_EVERY_MS = 2_000

export interface Leases {
  /**
   * One heartbeat. The node keeps its partitions up to its fair share, releases the excess, and takes free or expired
   * ones. The fair share is PARTITIONS divided by the live nodes of the group, rounded up for as many nodes as needed
   * to own all partitions and down for the others. With a stable set of nodes, two heartbeats of each settle the
   * assignment.
   *
   * Released partitions are free at once. A heartbeat that rejects (StoreUnavailable) may have taken effect, so the
   * node may own fewer partitions than its last answer said.
   */
  heartbeat(node: Node): Promise<HeartbeatAnswer>
  /** Releases all partitions at once, on shutdown. An unknown node is not an error. */
  leave(id: string): Promise<void>
  /** Unix milliseconds by the store's clock, which all nodes share. Absent if the store is in this process. */
  clockMs?(): Promise<number>
}

export interface OwnedPartitions {
  readonly partitions: ReadonlySet<number>
  /** Aborts when the set of owned partitions changes. */
  readonly changed: AbortSignal
}

export interface PartitionOwnership {
  now(): OwnedPartitions
}
