// Checks the revisions of the log before a backup of it: a backup with a gap or a duplicate could never be restored.

import type { RevisionFaults } from '../../domain/stream-revisions.ts'
import { type CheckedLog, checkRevisions } from '../../stores/support/check-revisions.ts'

/** Lines before the log: progress about each second, and at last the faults if there are any. */
export type RevisionLine = { readonly checked: { readonly events: number } } | { readonly faulty: RevisionFaults }

const PROGRESS_EVERY_MS = 1_000

/** `rest` is called between two pages. Ends early when the signal aborts. */
export async function* revisionLines(
  log: CheckedLog,
  rest: (readMs: number) => Promise<void>,
  ending: AbortSignal,
): AsyncGenerator<readonly RevisionLine[]> {
  const checking = checkRevisions(log)
  for (let toldMs = performance.now(); !ending.aborted; ) {
    const beganMs = performance.now()
    const { done, value } = await checking.next()
    if (done === true) {
      if (value.found > 0) yield [{ faulty: { faults: value.faults, found: value.found } }]
      return
    }
    await rest(performance.now() - beganMs)
    if (performance.now() - toldMs < PROGRESS_EVERY_MS) continue
    toldMs = performance.now()
    yield [{ checked: { events: value.events } }]
  }
}
