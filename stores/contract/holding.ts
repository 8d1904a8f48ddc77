// Which partitions this process may apply to the views, and word of when that changes. Leases give it (stores/contract/leases.ts).

import { ALL_PARTITIONS } from './partition.ts'

export interface Held {
  readonly partitions: ReadonlySet<number>
  /** Aborted once something else is held. */
  readonly changed: AbortSignal
}

export interface Holding {
  now(): Held
}

/** For who is alone on the stores, for good. */
export const holdsAll: Holding = {
  now: () => ({ partitions: new Set(ALL_PARTITIONS), changed: new AbortController().signal }),
}

/** Waits for a signal to abort. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((wake) => signal.addEventListener('abort', () => wake(), { once: true }))
}
