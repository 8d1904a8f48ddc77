// The entries that a scan keeps for its page, compared with a sort of all scanned entries.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import type { Entry } from '../../queries/scores/entry.ts'
import { KNOWN_MAX, KnownEntries } from '../../queries/scores/known-entries.ts'

const ENTRIES = 3 * KNOWN_MAX
/** From the worst on. Times repeat and do not follow the ranks. */
const SCANNED: readonly Entry[] = Array.from({ length: ENTRIES }, (_, n) => {
  const shown = { extra: null, name: null, added: '', updated: String((n * 7) % 50).padStart(2, '0') }
  const at = { id: `e${n}`, board: 'b', generation: 1, player: `p${n}`, ranking: 'b' }
  return {
    ...at,
    ...shown,
    score: parseDecimal(String(n)) as Decimal,
    secondary: null,
    member: String(ENTRIES - n).padStart(6, '0'),
  }
})

const bySortKey = (a: Entry, b: Entry) => (a.member < b.member ? -1 : 1)
const byTime = (a: Entry, b: Entry) => (a.updated === b.updated ? bySortKey(a, b) : a.updated < b.updated ? -1 : 1)
const BY_ORDER: Readonly<Record<'best' | 'worst' | 'newest' | 'oldest', readonly Entry[]>> = {
  best: SCANNED.toSorted(bySortKey),
  worst: SCANNED,
  oldest: SCANNED.toSorted(byTime),
  newest: SCANNED.toSorted((a, b) => (a.updated === b.updated ? bySortKey(a, b) : byTime(b, a))),
}

describe('KnownEntries', () => {
  for (const order of ['best', 'worst', 'newest', 'oldest'] as const) {
    it(`keeps the entries of a page near the start, by ${order}, and at most twice as many as a page may have`, () => {
      const known = new KnownEntries({ order, offset: KNOWN_MAX - 20, limit: 20 })
      let maxSize = 0
      for (const entry of SCANNED) {
        known.add(entry)
        maxSize = Math.max(maxSize, known.size)
      }
      const page = BY_ORDER[order].slice(KNOWN_MAX - 20, KNOWN_MAX)
      expect(page.map(({ member: sortKey }) => known.bySortKey().get(sortKey)?.id)).to.deep.equal(
        page.map(({ id }) => id),
      )
      expect(maxSize).to.be.within(KNOWN_MAX, 2 * KNOWN_MAX)
    })

    it(`keeps no entry of a page further on, by ${order}`, () => {
      const known = new KnownEntries({ order, offset: KNOWN_MAX, limit: 20 })
      for (const entry of SCANNED) known.add(entry)
      expect(known.size).to.equal(0)
    })
  }
})
