// The median and the median absolute deviation by binary search, compared with sorting.

import { expect } from 'chai'
import { spreadOf } from '../../queries/overview/spread.ts'
import { Random } from '../random.ts'
import { SEED, sized } from '../seeds.ts'

const ascending = (values: readonly bigint[]) => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** Twice the median of values in ascending order. */
const twiceMedianOf = (values: readonly bigint[]): bigint =>
  (values[(values.length - 1) >> 1] as bigint) + (values[values.length >> 1] as bigint)

function bySorting(values: readonly bigint[]) {
  const twiceMedian = twiceMedianOf(values)
  const offsets = values.map((value) => 2n * value - twiceMedian)
  const distances = ascending(offsets.map((offset) => (offset < 0n ? -offset : offset)))
  return { twiceMedian, fourMads: twiceMedianOf(distances) }
}

describe('the spread of values', () => {
  it('is that of sorting, with many equal values and extreme ones', async () => {
    const random = new Random(SEED)
    for (let run = 0; run < sized(3_000, 100_000); run++) {
      const range = random.pick([1, 3, 10, 1_000])
      const values = ascending(
        Array.from({ length: 1 + random.below(40) }, () => {
          const value = BigInt(random.below(range) - random.below(range))
          return random.chance(0.1) ? value * 10n ** 40n : value
        }),
      )
      const found = await spreadOf(values.length, async (index) => values[index] as bigint)
      expect(found, values.join()).to.deep.equal(bySorting(values))
    }
  })

  it('reads few of a million values', async () => {
    let reads = 0
    await spreadOf(1_000_000, async (index) => {
      reads++
      return BigInt(index) ** 2n
    })
    expect(reads).to.be.lessThan(100)
  })
})
