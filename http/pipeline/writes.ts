// Limits the concurrent writes of one network address. Writes that wait for the log are committed as one batch, so a
// flood from one address would make batches, and everybody's latency, as large as the flood.

import { Refusal } from '../../domain/decider.ts'
import { FairQueue } from '../../runtime/fair-queue.ts'
import { siteOf } from '../connections/budget.ts'
import { RecentCallers } from '../connections/fair-start.ts'

/** For an address that is alone: enough for a full batch of the log. */
export const WRITES_PER_ADDRESS = 64
/** For each address while another one writes, and for WRITES_SHARED_MS after that. */
export const WRITES_PER_ADDRESS_SHARED = 16
export const WRITES_SHARED_MS = 1_000
/** Of these, writes with bodies of LARGE_WRITE_BYTES or more. */
export const LARGE_WRITES_PER_ADDRESS = 8
export const LARGE_WRITE_BYTES = 4_096
/** How long a write waits for others of its network address. */
export const WRITE_WAIT_MAX_MS = 5_000
const RETRY_AFTER_S = 2

export interface Writes {
  /** Runs a write now, or once fewer of its network address run. Throws 503 `busy` after WRITE_WAIT_MAX_MS. */
  run<Result>(network: string, write: () => Promise<Result>, bodyBytes: number): Promise<Result>
}

/** `now`: a monotonic clock in milliseconds. */
export function createWrites(maxWaitMs = WRITE_WAIT_MAX_MS, now = () => performance.now()): Writes {
  const perAddress = (max: number) => [Number.POSITIVE_INFINITY, max]
  const lanes = { shared: perAddress(WRITES_PER_ADDRESS_SHARED), large: perAddress(LARGE_WRITES_PER_ADDRESS) }
  const queue = new FairQueue({ running: perAddress(WRITES_PER_ADDRESS), waiting: [], lanes, maxWaitMs }, tooMany)
  const callers = new RecentCallers(WRITES_SHARED_MS, now)
  return {
    run: (network, write, bodyBytes) => {
      const site = siteOf(network)
      const lanes = [
        ...(callers.hasOthers(site) ? ['shared'] : []),
        ...(bodyBytes >= LARGE_WRITE_BYTES ? ['large'] : []),
      ]
      return queue.run([site], write, { lanes })
    },
  }
}

function tooMany(): Refusal {
  const detail =
    'Your network address has too many concurrent writes. Nothing was changed. Send it again after Retry-After.'
  return new Refusal('unavailable', 'busy', detail, { retry_after: RETRY_AFTER_S })
}
