// Checks the revisions of the events that a backup reads, so that a log with a gap or a double is noticed by the next backup and
// not by the restore.

import type { StoredEvent } from '../domain/event.ts'
import { BackupFault } from './destination.ts'

/**
 * `isWhole`: the events are read from the beginning of the log. Else a stream may begin at any revision. Takes some 100 bytes a stream.
 * The result throws BackupFault.
 */
export function checkingRevisions(isWhole: boolean): (event: StoredEvent) => void {
  const next = new Map<string, number>()
  return ({ stream, revision, position }) => {
    const due = next.get(stream) ?? (isWhole ? 0 : revision)
    next.set(stream, revision + 1)
    if (revision === due) return
    throw new BackupFault(
      `The log has revision ${revision} of ${stream} at position ${position}, where revision ${due} comes next. Nothing was backed up; ` +
        'earlier backups are as they were. Run `scorebook doctor`.',
    )
  }
}
