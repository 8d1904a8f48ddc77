// A log that accepts appends only while this process is certain to be the only one. Without Redis, a process that lost
// its connection to MongoDB could otherwise still append to the log while a replacement does the same.

import { StoreUnavailable } from '../stores/contract/faults.ts'
import type { Log } from '../stores/contract/log.ts'

/** Appends reject with StoreUnavailable while that is uncertain, and can be retried. */
export function whileSingleProcess(log: Log, isAlone: () => boolean): Log {
  return {
    ...log,
    append: async (stream, expected, events) => {
      if (isAlone()) return log.append(stream, expected, events)
      throw new StoreUnavailable(
        'MongoDB does not answer: another process may have taken over, so nothing is written to the log',
      )
    },
  }
}
