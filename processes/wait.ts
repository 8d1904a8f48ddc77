// Waiting for a time by a clock that others may set.

import { setTimeout } from 'node:timers/promises'

const LOOK_EVERY_MS = 1_000

/** Ends once `now()` is there, or with the signal. */
export async function until(timeMs: number, now: () => number, signal: AbortSignal): Promise<void> {
  for (let left = timeMs - now(); left > 0 && !signal.aborted; left = timeMs - now()) {
    await setTimeout(Math.min(left, LOOK_EVERY_MS), undefined, { signal }).catch(() => {})
  }
}
