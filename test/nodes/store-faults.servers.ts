// The store servers fail one after another under load: nothing is lost, duplicated or shown wrong, and all recovers by
// itself.

import { expect } from 'chai'
import { endSharedServers } from '../servers/store-urls.ts'
import { proveStoreFaults } from './store-faults.ts'

const FROZEN_MS = 10_000
/**
 * How long after a fault new writes may be unreadable: a few seconds, on a machine that may be far slower than
 * intended.
 */
const GOES_ON_MS = 20_000
const SILENCE_FOUND_MS = 60_000
/** Deadline and grace of a try, and of the tries begun within the time that a command gives the log; doubled. */
const ANSWERED_MS = 32_000
const SEED = 20_261_121

describe('failing store servers under load', () => {
  after(endSharedServers)

  it('lose and duplicate no submission, and leave live views equal to rebuilt ones', async function () {
    this.timeout(240_000)
    const { acknowledged, answersLost, longestMs, read, recovered, faults } = await proveStoreFaults({
      seed: SEED,
      frozenMs: FROZEN_MS,
    })
    expect(faults).to.deep.equal([])
    expect(acknowledged).to.be.greaterThan(100)
    expect(answersLost).to.be.greaterThan(55)
    expect(read).to.be.greaterThan(100)
    expect(longestMs).to.be.lessThan(ANSWERED_MS)
    for (const [fault, ms] of Object.entries(recovered)) {
      expect(ms, fault).to.be.lessThan(fault === 'subscription silent' ? SILENCE_FOUND_MS : GOES_ON_MS)
    }
  })
})
