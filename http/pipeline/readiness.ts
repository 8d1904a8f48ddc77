// Readiness of this process: its stores answer and its views follow the log. Checked on demand, at most about once a
// second, and within the timeout of a probe.

import { withTimeout } from '../../runtime/with-timeout.ts'
import type { Reasons } from './health.ts'

/** Component -> a check that resolves if it is healthy, and rejects with the reason if not. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

const FRESH_MS = 1_000
/** Time limit of one check. Probes commonly time out after a second or more. */
const ANSWER_MS = 900

/** Returns the unhealthy components with their reasons. `elapsedMs`: a monotonic clock. */
export function createReadiness(checks: Checks, elapsedMs = () => performance.now()): () => Promise<Reasons> {
  let running: Promise<Reasons> | null = null
  let startedMs = Number.NEGATIVE_INFINITY
  return () => {
    if (running === null || elapsedMs() - startedMs > FRESH_MS) {
      startedMs = elapsedMs()
      running = runChecks(checks)
    }
    return running
  }
}

async function runChecks(checks: Checks): Promise<Reasons> {
  const results = Object.entries(checks).map(async ([part, check]) => [part, await reasonOf(check)] as const)
  return Object.fromEntries(
    (await Promise.all(results)).flatMap(([part, reason]) => (reason === null ? [] : [[part, reason]])),
  )
}

async function reasonOf(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await withTimeout(ANSWER_MS, check())
    return null
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : String(error)
  }
}
