// What a simulated history recorded, applied by processes whose writes break off in their middle; `npm run proof:broken-writes`
// does it with a hundred.

import { expect } from 'chai'
import { proveBrokenWrites } from './prove-broken-writes.ts'

/** About a board whose rules change, and files that are overwritten and deleted. */
const SEEDS = [5, 10]
const TIMES = 3
const BREAKS_LEAST = 100

describe('writes of views that break off', () => {
  it(`leave nothing behind once all is applied, of ${SEEDS.length} logs applied ${TIMES} times each`, async function () {
    this.timeout(120_000)
    let breaks = 0
    for (const firstSeed of SEEDS) {
      const tried = await proveBrokenWrites({ logs: 1, firstSeed, times: TIMES })
      expect(tried.failed).to.deep.equal([])
      breaks += tried.breaks
    }
    expect(breaks).to.be.greaterThan(BREAKS_LEAST)
  })
})
