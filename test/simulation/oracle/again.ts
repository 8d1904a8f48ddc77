// On servers, answers have a short deadline, so that lost ones are detected soon. A machine that is busy with other
// histories may miss it. The oracle retries, as callers must.

import { StoreUnavailable } from '../../../stores/contract/faults.ts'

/** Far more than needed: a store that is unavailable for longer is down. */
const WITHIN_MS = 120_000

export async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const startedMs = performance.now()
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() - startedMs > WITHIN_MS) throw error
    }
  }
}
