// Purges the embedded stores after deletions. Requests that come close together share one purge. One runs at each
// start, because a killed process may have left one pending.

import type { Purge } from '../stores/contract/erasure.ts'
import type { Timed } from './tick.ts'

/** Maximum delay in ms between a request and the start of its purge. */
const EVERY_MS = 1_000

export interface Purges {
  /** Requests a purge of everything that was overwritten or deleted before the call. */
  request(): void
  readonly timed: Timed
}

/** `stores`: the embedded stores; empty if all are on servers. */
export function createPurges(stores: readonly Purge[]): Purges {
  let isDue = true
  return {
    request: () => {
      isDue = true
    },
    timed: {
      name: 'purge_text',
      everyMs: EVERY_MS,
      async run() {
        if (!isDue) return
        isDue = false
        try {
          for (const store of stores) await store.purge()
        } catch (error) {
          isDue = true
          throw error
        }
      },
    },
  }
}
