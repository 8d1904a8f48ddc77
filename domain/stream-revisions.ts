// Checks the revisions of a log: within each stream they are 0, 1, 2, … in log order, without gap and duplicate.

import type { StoredEvent } from './event.ts'
import { NumberPerStream, StreamNumbers } from './stream-numbers.ts'

/** The fields of an event that the check reads. */
export type EventPlace = Pick<StoredEvent, 'position' | 'stream' | 'revision'>

/** An event whose revision does not follow the one before it in its stream. */
export interface RevisionFault {
  readonly stream: string
  readonly position: string
  /** The revision that comes next: 0 for the first event of a stream. */
  readonly expected: number
  /** Of the event. Higher than `expected`: a gap, events may be missing. Lower: a duplicate. */
  readonly revision: number
}

export interface RevisionFaults {
  /** The first ones. */
  readonly faults: readonly RevisionFault[]
  /** The number of all. */
  readonly found: number
}

/** Maximum number of faults listed; beyond it they are only counted. */
const MAX_LISTED = 100

/** Takes some 60 bytes per stream. */
export class RevisionCheck implements RevisionFaults {
  readonly faults: RevisionFault[] = []
  found = 0
  readonly #streams = new StreamNumbers()
  readonly #next = new NumberPerStream()
  readonly #maxListed: number

  constructor(maxListed: number = MAX_LISTED) {
    this.#maxListed = maxListed
  }

  /** Checks the next event of the log. After a fault, the revision after that of the event comes next. */
  add({ position, stream, revision }: EventPlace): void {
    const number = this.#streams.numberOf(stream)
    const expected = this.#next.get(number)
    this.#next.put(number, revision + 1)
    if (revision === expected) return
    this.found++
    if (this.faults.length < this.#maxListed) this.faults.push({ stream, position, expected, revision })
  }
}

export const isGap = ({ expected, revision }: RevisionFault): boolean => revision > expected

/** For people. */
export function revisionFaultText({ position, expected, revision }: RevisionFault): string {
  const comes = `where revision ${expected} comes next, the event at position ${position} has revision ${revision}`
  return revision > expected ? `a gap: ${comes}` : `a duplicate: ${comes}`
}
