// Trying again for as long as it may help: transfers last longer than a call, and a server that is restarted
// under one is back within seconds.

import { ProblemError, Unreachable } from './problem.ts'

export interface Persistence {
  /** For how long it may fail without anything being gained. Default 60,000. */
  readonly patienceMs?: number
  /** Ends it; what is under way rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Told before each wait, so that a caller can show it. */
  readonly onWait?: (waitMs: number, why: unknown) => void
}

export interface Patience {
  /** Waits; throws `why` again where trying again cannot help or has lasted too long. */
  again(why: unknown): Promise<void>
  /** Something was gained: what failed before counts no more. */
  gained(): void
}

const PATIENCE_MS = 60_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
/** Something that was sent before, and may have been cut since, is still running over there. */
const RUNNING: ReadonlySet<string> = new Set(['idempotency_in_progress', 'upload_running'])
/** Statuses that pass by themselves; 408 is a server's for bytes that stopped coming. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

export function createPatience({ patienceMs = PATIENCE_MS, signal, onWait }: Persistence): Patience {
  let times = 0
  let waitedMs = 0
  return {
    async again(why) {
      if (signal?.aborted === true) throw signal.reason
      if (!passes(why)) throw why
      const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times) * (0.5 + Math.random() / 2)
      if (waitedMs + waitMs > patienceMs) throw why
      times++
      waitedMs += waitMs
      onWait?.(waitMs, why)
      await sleep(waitMs, signal)
    },
    gained: () => {
      times = 0
      waitedMs = 0
    },
  }
}

/** Calls until it is answered or refused for good. */
export async function persist<T>(patience: Patience, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (why) {
      await patience.again(why)
    }
  }
}

function passes(why: unknown): boolean {
  if (why instanceof Unreachable) return true
  return why instanceof ProblemError && (PASSING.has(why.status) || RUNNING.has(why.code))
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
