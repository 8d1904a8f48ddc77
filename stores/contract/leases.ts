// Who is there, and who applies which partitions: the live nodes, and the partitions leased among those of them that
// run the same views. A lease saves work done twice; what is written is right without it, as positions fence each
// write.

/** One process, as it says with each heartbeat. */
export interface Node {
  /** Of this process alone. */
  readonly id: string
  /**
   * Projectors that run the same views share out the partitions among themselves: the name of that set of views. Null:
   * it takes none.
   */
  readonly group: string | null
  /** Keys (`name@version`) of the views it reads or writes: nobody may drop those. */
  readonly uses: readonly string[]
}

export interface Beat {
  /** The partitions that this node holds until `LEASE_MS` from the beginning of this call, in ascending order. */
  readonly held: readonly number[]
  /** Every view key that a live node uses (this one among them), in ascending order, each once. */
  readonly used: readonly string[]
}

/** By the store's clock. A node that is silent for as long is gone, with all it held. */
export const LEASE_MS = 6_000
/** Two beats may fail before a lease ends. */
export const BEAT_EVERY_MS = 2_000

export interface Leases {
  /**
   * One heartbeat. Keeps what the node holds up to its fair share (PARTITIONS over the live nodes of its group: rounded
   * up for as many of them as it takes to hold all, rounded down for the others), gives back what is over it, takes
   * what is free or expired. With the same nodes beating, two rounds settle it.
   *
   * What is given back is free for others at once. A beat that rejects (StoreAway) may have taken effect, so the node
   * may hold less than its last answer said.
   */
  beat(node: Node): Promise<Beat>
  /** Gives back everything at once: the node ends. One that is not there is no error. */
  leave(id: string): Promise<void>
}
