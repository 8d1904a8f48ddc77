// Keeps processes running while backing services are unavailable: a failure is reported and retried.

import { setTimeout } from 'node:timers/promises'

const RETRY_AFTER_MS = 500

export interface TryDeps {
  /** `process`: its name, or `all` where the log cannot be followed or no checkpoints be read. */
  failed(process: string, error: unknown): void
}

/** Tries until it succeeds; null where the signal came first. */
export async function untilDone<Made>(
  deps: TryDeps,
  process: string,
  round: AbortSignal,
  work: () => Promise<Made>,
): Promise<Made | null> {
  while (!round.aborted) {
    try {
      return await work()
    } catch (error) {
      // It broke off because it was told to: what it holds no more another one does.
      if (round.aborted && error === round.reason) return null
      deps.failed(process, error)
      await setTimeout(RETRY_AFTER_MS, undefined, { signal: round }).catch(() => {})
    }
  }
  return null
}
