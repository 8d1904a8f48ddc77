// A log that this process writes to only while no other can have taken its place: without Redis, one that is cut off
// from MongoDB alone could still reach the log when another one has started and writes there too.

import { StoreAway } from '../stores/contract/faults.ts'
import type { Log } from '../stores/contract/log.ts'

/** Its appends reject with StoreAway while it is not sure; repeated, they go through once it is again. */
export function whileAlone(log: Log, isAlone: () => boolean): Log {
  return {
    ...log,
    append: async (stream, expected, events) => {
      if (isAlone()) return log.append(stream, expected, events)
      throw new StoreAway(
        'MongoDB does not answer: another process may have taken over, so nothing is written to the log',
      )
    },
  }
}
