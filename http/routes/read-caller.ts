// Identifies the caller of an expensive read for fair scheduling in the read queue.

import type { ReadCaller } from '../../queries/work-queue.ts'
import { siteOf } from '../connections/budget.ts'
import type { Call } from '../route.ts'

/** The signal is created lazily: most calls need none, and creating one costs a tenth of a short answer. */
export function readCaller({ caller, network, gone }: Pick<Call, 'caller' | 'network' | 'gone'>): ReadCaller {
  return new Reading([caller.game ?? '', siteOf(network), caller.player ?? caller.key], gone)
}

class Reading implements ReadCaller {
  readonly path: readonly string[]
  readonly #gone: () => AbortSignal
  #signal: AbortSignal | null = null

  constructor(path: readonly string[], gone: () => AbortSignal) {
    this.path = path
    this.#gone = gone
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#gone()
    return this.#signal
  }
}
