// Reads a whole log and checks that the revisions of each stream have no gap and no duplicate.

import type { Position } from '../../domain/event.ts'
import { LEFT_OF_DELETED } from '../../domain/game.ts'
import { type EventPlace, RevisionCheck, type RevisionFaults } from '../../domain/stream-revisions.ts'
import type { LogRevisions } from '../contract/history.ts'
import type { Log } from '../contract/log.ts'

/** Events of a page: about 2 ms of an embedded log, in which nothing else runs. */
const CHECKED_AT_ONCE = 250

export interface CheckedLog {
  readonly log: Pick<Log, 'head' | 'readAll'>
  /** Faster than the log, and has the remains of deleted games. Absent if a server assigns the revisions. */
  readonly revisions?: LogRevisions | undefined
}

/** The last event of a page, and the number of events before and including it. */
interface Reached {
  readonly events: number
  readonly position: Position
}

/**
 * Yields after each page, so that the caller sets the pace. Returns the faults up to the head of the log at the call.
 */
export async function* checkRevisions(checked: CheckedLog): AsyncGenerator<Reached, RevisionFaults> {
  const places = checked.revisions?.places ?? placesIn(checked.log)
  const check = new RevisionCheck()
  const head = await checked.log.head()
  let events = 0
  for (let at: Position | null = null; head !== null && (at === null || at < head); ) {
    const page: readonly EventPlace[] = await places(at, CHECKED_AT_ONCE)
    const last = page.at(-1)
    if (last === undefined) break
    for (const place of page) if (place.position <= head) check.add(place)
    events += page.length
    at = last.position
    yield { events, position: last.position }
  }
  return check
}

/** On a server a deleted game leaves only the end of its stream, so that end is not checked. */
function placesIn(log: Pick<Log, 'readAll'>): LogRevisions['places'] {
  return async (after, limit) => {
    for (let from = after; ; ) {
      const read = await log.readAll(from, limit)
      const checked = read.filter(({ type }) => !LEFT_OF_DELETED.has(type))
      const last = read.at(-1)
      // An empty page means the end of the log.
      if (checked.length > 0 || last === undefined) return checked
      from = last.position
    }
  }
}
