// Builds the snapshot of a board's window index from the members of its ranking, which contain all that the index
// needs.

import { type FrozenWindow, freeze } from '../../ranking/frozen-window.ts'
import { MemberPacker } from '../../ranking/packed-members.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'

const PAGE = 500
/** Members handled between two checks of the clock. */
const CHECK_CLOCK_EVERY = 64
/** Ranks by which a page overlaps the previous one. */
const SHARED = 32
const MAX_REREADS = 1_000

/**
 * Reads while the ranking changes: an entry that does not change meanwhile appears once; one that moves may appear
 * once, twice or not at all. Rejects like the rankings, and with the signal's reason.
 */
export async function frozenRanking(rankings: Rankings, key: string, signal: AbortSignal): Promise<FrozenWindow> {
  const packer = new MemberPacker()
  const slices = new TimeSlices(signal)
  let last = ''
  let offset = 0
  for (let again = 0; ; ) {
    const from = Math.max(0, offset - SHARED)
    const members = await rankings.range(key, from, PAGE)
    const [first] = members
    if (slices.due) await slices.yield()
    // Entries before this page were removed meanwhile, so others have moved in front of it: read again.
    if (from > 0 && (first === undefined || first > last)) {
      if (++again > MAX_REREADS) throw new Error(`the ranking ${key} moves too fast to be read`)
      offset = await rankings.before(key, last)
      continue
    }
    for (const [at, member] of members.entries()) {
      if (at % CHECK_CLOCK_EVERY === 0 && slices.due) await slices.yield()
      if (member <= last) continue
      packer.addText(member)
      last = member
    }
    if (members.length < PAGE) return slices.result(freeze(packer))
    offset = from + members.length
  }
}
