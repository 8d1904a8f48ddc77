// Retries work while backing services are unavailable, and reports each failure.

import { setTimeout } from 'node:timers/promises'

const RETRY_AFTER_MS = 500

export interface TryDeps {
  /** `reaction`: its name, or `all` if the log cannot be followed or the checkpoints cannot be read. */
  failed(reaction: string, error: unknown): void
}

/** Retries until it succeeds; null if the signal aborts first. */
export async function untilDone<Made>(
  deps: TryDeps,
  reaction: string,
  signal: AbortSignal,
  work: () => Promise<Made>,
): Promise<Made | null> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      // The failure is the abort itself: another node owns the partition now.
      if (signal.aborted && error === signal.reason) return null
      deps.failed(reaction, error)
      await setTimeout(RETRY_AFTER_MS, undefined, { signal: signal }).catch(() => {})
    }
  }
  return null
}
