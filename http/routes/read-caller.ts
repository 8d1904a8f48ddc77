// Who waits for a read that costs much, as the work queue of such reads shares itself out.

import type { ReadCaller } from '../../queries/work-queue.ts'
import { siteOf } from '../connections/budget.ts'
import type { Call } from '../route.ts'

/** Its signal is made when it is first read: most calls need none, and one costs a tenth of a short answer. */
export function readCaller({ caller, network, gone }: Pick<Call, 'caller' | 'network' | 'gone'>): ReadCaller {
  let signal: AbortSignal | null = null
  return {
    path: [caller.game ?? '', siteOf(network), caller.player ?? caller.key],
    get signal() {
      signal ??= gone()
      return signal
    },
  }
}
