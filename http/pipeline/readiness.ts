// Whether this process can serve: its stores answer, and its views follow the log. Looked at when somebody asks, at
// most about once a second, and never longer than a probe waits.

import { withTimeout } from '../../scheduling/with-timeout.ts'
import type { Reasons } from './health.ts'

/** Part -> resolves where it is well, with anything; rejects with the reason where it is not. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

const FRESH_MS = 1_000
/** Probes commonly wait a second or more: what does not answer by then is said not to. */
const ANSWER_MS = 900

/** What is wrong with each part, none where all is well. `elapsedMs` never goes back. */
export function createReadiness(checks: Checks, elapsedMs = () => performance.now()): () => Promise<Reasons> {
  let looking: Promise<Reasons> | null = null
  let lookedMs = Number.NEGATIVE_INFINITY
  return () => {
    if (looking === null || elapsedMs() - lookedMs > FRESH_MS) {
      lookedMs = elapsedMs()
      looking = look(checks)
    }
    return looking
  }
}

async function look(checks: Checks): Promise<Reasons> {
  const looked = Object.entries(checks).map(async ([part, check]) => [part, await reasonOf(check)] as const)
  return Object.fromEntries((await Promise.all(looked)).flatMap(([part, why]) => (why === null ? [] : [[part, why]])))
}

async function reasonOf(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await withTimeout(ANSWER_MS, check())
    return null
  } catch (why) {
    return why instanceof Error && why.message !== '' ? why.message : String(why)
  }
}
