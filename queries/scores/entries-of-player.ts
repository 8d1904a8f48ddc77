// A player's entries on a board, best first. A plain read returns the first ones; all of them are read in pages, in
// time slices.

import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { Entry } from './entry.ts'
import type { Reader } from './reader.ts'

/** The entries of a player with more than this on a board are read in the work queue. */
const UNQUEUED_MAX = 250
/** Entries per page. */
const PAGE = 100

export interface FirstEntries {
  readonly entries: readonly Entry[]
  /** Whether these are all entries of the player on the board. */
  readonly isAll: boolean
}

/** One read of at most 251 entries. */
export async function firstEntries(reader: Reader, player: string): Promise<FirstEntries> {
  const find = { index: 'player', equal: [player, reader.key], limit: UNQUEUED_MAX + 1 }
  const entries = await reader.find(find)
  return { entries, isAll: entries.length <= UNQUEUED_MAX }
}

/** All of them. On a board with several entries per player an entry never changes, so none is read twice. */
export async function* playerPages(
  reader: Reader,
  player: string,
  slices: TimeSlices,
): AsyncGenerator<readonly Entry[]> {
  for (let after: string | undefined; ; ) {
    const bound = after === undefined ? {} : { after }
    const page = await reader.find({ index: 'player', equal: [player, reader.key], ...bound, limit: PAGE })
    yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.member
    await slices.yieldIfDue()
  }
}
