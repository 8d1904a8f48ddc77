// Identifies the caller of an expensive read for fair scheduling in the read queue.

import type { ReadCaller } from '../../queries/work-queue.ts'
import { siteOf } from '../connections/budget.ts'
import type { Call } from '../route.ts'

/** The signal is created lazily: most calls need none, and creating one costs a tenth of a short answer. */
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
