// Applies recorded histories with writes that fail part way; `npm run proof:broken-writes` does so with a hundred logs.

import { expect } from 'chai'
import { sized } from '../seeds.ts'
import { proveBrokenWrites } from './prove-broken-writes.ts'

/** Seeds whose histories change board rules, and overwrite and delete files. */
const SEEDS = sized([5], [5, 10])
const TIMES = 3
const BREAKS_LEAST = sized(50, 100)

describe('view writes that fail part way', () => {
  it(`end in the same views as a rebuild, for ${SEEDS.length} logs applied ${TIMES} times each`, async function () {
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
