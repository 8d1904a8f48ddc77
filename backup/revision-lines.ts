// Checks the revisions of the log before a backup of it: a backup with a gap or a double could never be restored. And finds
// chunks at the destination that are from before a repair of the log.

import type { EventPlace, RevisionFaults } from '../domain/stream-revisions.ts'
import { revisionFaultText } from '../domain/stream-revisions.ts'
import { type CheckedLog, checkRevisions } from '../stores/support/check-revisions.ts'
import { readChunk } from './chunk.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import type { ChunkEntry } from './manifest.ts'

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

export function faultyLog({ faults, found }: RevisionFaults): BackupFault {
  const [first] = faults
  const named = first === undefined ? '' : ` The first is in the stream ${first.stream}: ${revisionFaultText(first)}.`
  return new BackupFault(
    `The log has ${found} ${found === 1 ? 'gap or double' : 'gaps and doubles'} in the revisions of its streams, and no backup of ` +
      `it could be restored.${named} Nothing was backed up; earlier backups are unchanged. Stop the server, and run ` +
      '`scorebook history repair --dry-run`, which shows what a repair changes.',
  )
}

/** Whether these chunks have an event as it was before a repair of the log: then they are written again. */
export async function isBeforeRepair(
  destination: BackupDestination,
  installation: string,
  chunks: readonly Pick<ChunkEntry, 'after' | 'last' | 'sha256'>[],
  repaired: readonly EventPlace[],
): Promise<boolean> {
  for (const { position, revision } of repaired) {
    const chunk = chunks.find(({ after, last }) => (after ?? '') < position && position <= last)
    if (chunk === undefined) continue
    const { events } = await readChunk(destination, installation, chunk)
    if (events.some((event) => event.position === position && event.revision !== revision)) return true
  }
  return false
}
