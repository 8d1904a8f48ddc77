// Which partitions this process may apply to the views, and word of when that changes. Leases give it
// (stores/contract/leases.ts).

export interface Held {
  readonly partitions: ReadonlySet<number>
  /** Aborted once something else is held. */
  readonly changed: AbortSignal
}

export interface Holding {
  now(): Held
}
