// Purges the embedded stores after deletions: many that come close together share one purge. One runs at each start, as a process
// that was killed may have asked for one.

import type { Purge } from '../stores/contract/erasure.ts'
import type { Timed } from './tick.ts'

/** A purge begins no later than this after it was asked for. */
const EVERY_MS = 1_000

export interface Purges {
  /** Asks for a purge of all that was overwritten or deleted before the call. */
  request(): void
  readonly timed: Timed
}

/** `stores`: those whose files are ours; none where all of them are on servers. */
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
