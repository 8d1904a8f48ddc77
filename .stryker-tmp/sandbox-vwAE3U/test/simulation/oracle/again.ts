// On servers a node gives up an answer after a deadline that is short, so that lost ones are found soon; a machine that is busy
// with other histories may miss it. Callers are asked to retry, and so the judge does.

import { StoreUnavailable } from '../../../stores/contract/faults.ts'

/** Far more than it takes: a store that is away so long is away. */
const WITHIN_MS = 120_000

export async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const begun = performance.now()
  for (;;) {
    try {
      return await ask()
    } catch (why) {
      if (!(why instanceof StoreUnavailable) || performance.now() - begun > WITHIN_MS) throw why
    }
  }
}
