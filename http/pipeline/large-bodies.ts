// Parses large JSON bodies one at a time. 64 KiB of deep JSON take 5 ms: a client that sends many of them would keep the event
// loop to itself.

import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../domain/decider.ts'
import { FairQueue } from '../../scheduling/fair-queue.ts'
import { siteOf } from '../connections/budget.ts'

/** Twice the largest extra_data, so that no submission waits. */
export const LARGE_BODY_BYTES = 16_384

export interface LargeBodies {
  /** Parses when it is the turn of the network address. Throws what `parse` throws. */
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
          // As long for everybody else.
          await pause(performance.now() - beganMs)
        })
      }),
  }
}
