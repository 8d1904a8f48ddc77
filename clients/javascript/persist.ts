// Retries for transfers, which last longer than a call: a restarted server is usually back within seconds.

import { askedWaitMs, ProblemError, Unreachable } from './problem.ts'

export interface Persistence {
  /** Milliseconds of failures without progress before giving up. Default 60,000. */
  readonly patienceMs?: number
  /** Aborts the transfer, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Called before each wait, so that a caller can show it. */
  readonly onWait?: (waitMs: number, error: unknown) => void
}

export interface Patience {
  /** Waits before a retry. Rethrows `error` if a retry cannot help or the patience has run out. */
  again(error: unknown): Promise<void>
  /** Call on progress: earlier failures no longer count. */
  gained(): void
}

const RETRY_MS = 60_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
/** Codes of requests that are still running on the server, although their connection may be cut. */
const RUNNING: ReadonlySet<string> = new Set(['idempotency_in_progress', 'upload_running'])
/** Transient statuses. A server answers 408 if the bytes stopped. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

export function createPatience({ patienceMs = RETRY_MS, signal, onWait }: Persistence): Patience {
  let times = 0
  let waitedMs = 0
  return {
    async again(error) {
      if (signal?.aborted === true) throw signal.reason
      if (!passes(error)) throw error
      const backoffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times) * (0.5 + Math.random() / 2)
      const waitMs = (error instanceof ProblemError ? askedWaitMs(error) : null) ?? backoffMs
      if (waitedMs + waitMs > patienceMs) throw error
      times++
      waitedMs += waitMs
      onWait?.(waitMs, error)
      await sleep(waitMs, signal)
    },
    gained: () => {
      times = 0
      waitedMs = 0
    },
  }
}

/** Retries a call until it succeeds or fails permanently. */
export async function persist<T>(patience: Patience, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      await patience.again(error)
    }
  }
}

function passes(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  return error instanceof ProblemError && (PASSING.has(error.status) || RUNNING.has(error.code))
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
