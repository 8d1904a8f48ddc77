// Parses large JSON bodies one at a time. Parsing 64 KiB of deep JSON takes 5 ms, so a client that sends many of them
// would block the event loop.

import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../domain/decider.ts'
import { FairQueue } from '../../runtime/fair-queue.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { siteOf } from '../connections/budget.ts'

/** Twice the largest extra_data, so that no submission waits. */
export const LARGE_BODY_BYTES = 16_384

export interface LargeBodies {
  /** Parses when the network address has its turn. Throws what `parse` throws. */
  parse<Value>(network: string, parse: () => Value): Promise<Value>
}

export function createLargeBodies(): LargeBodies {
  const queue = new FairQueue({ running: [1], waiting: [] }, () => new Refusal('unavailable', 'busy', ''))
  return {
    parse: (network, parse) =>
      new Promise((resolve, reject) => {
        void queue.run([siteOf(network)], async () => {
          const beganMs = performance.now()
          try {
            resolve(parse())
          } catch (fault) {
            reject(fault)
          }
          // Gives everybody else as much time. On a busy machine the timer may end in the turn of the event loop that
          // parsed.
          await pause(performance.now() - beganMs)
          await yieldToEventLoop()
        })
      }),
  }
}
