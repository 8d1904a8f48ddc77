// The first making of a board's index of windows, from the members of its ranking: those say all that the index needs.

import { type FrozenWindow, freeze } from '../../ranking/frozen-window.ts'
import { MemberPacker } from '../../ranking/packed-members.ts'
import { TimeSlices } from '../../scheduling/time-slices.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'

const PAGE = 500
/** After so many members of a page it is looked at the clock. */
const LOOKS = 64
/** Places that a page has in common with the one before it. */
const SHARED = 32
const READ_AGAIN_MAX = 1_000

/**
 * Reads while the ranking changes: an entry that stays as it is throughout is there once; one that moves may be there,
 * or not, or twice. Rejects as rankings do, and where the signal aborts.
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
    // Entries before this page have gone meanwhile, and others have slipped past it.
    if (from > 0 && (first === undefined || first > last)) {
      if (++again > READ_AGAIN_MAX) throw new Error(`the ranking ${key} moves too fast to be read`)
      offset = await rankings.before(key, last)
      continue
    }
    for (const [at, member] of members.entries()) {
      if (at % LOOKS === 0 && slices.due) await slices.yield()
      if (member <= last) continue
      packer.addText(member)
      last = member
    }
    if (members.length < PAGE) return slices.result(freeze(packer))
    offset = from + members.length
  }
}
