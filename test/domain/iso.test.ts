// Formatting times as Date does.

import { expect } from 'chai'
import { isoOf } from '../../domain/iso.ts'
import { Random } from '../random.ts'

const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

describe('formatting a time', () => {
  it('gives the same text as Date, at any time of a day in any year from 0 to 9999', () => {
    const random = new Random(3)
    const edges = [0, 1, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, LAST_MS]
    const others = Array.from({ length: 5_000 }, () => random.below(2 ** 31) * 118_000 + random.below(118_000))
    // Days that share a cache slot, repeatedly.
    const days = [0, 256, 0, 257, 1, 512].map((day) => day * 86_400_000 + 12_345_678)
    // The year 0 and 1969, and days of them that share a cache slot with later ones.
    const earlier = [
      FIRST_MS,
      FIRST_MS + 1,
      -1,
      -1_000,
      ...days.map((ms) => ms - 512 * 86_400_000),
      ...others.map((ms) => -1 - (ms % -FIRST_MS)),
    ]
    const times = [...edges, ...days, ...others.map((ms) => ms % (LAST_MS + 1)), ...earlier]
    expect(times.map(isoOf)).to.deep.equal(times.map((ms) => new Date(ms).toISOString()))
  })
})
