// The servers fail one after the other under load: nothing is lost, doubled or shown wrong, and all goes on by itself.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { endSharedServers } from '../servers/places.ts'
import { proveStoreFaults } from './store-faults.ts'

const FROZEN_MS = 10_000
/**
 * How long after a fault what is written may be unreadable: a few seconds, on a machine that may be far slower than
 * this is meant for.
 */
const GOES_ON_MS = 20_000
const SILENCE_FOUND_MS = 60_000
/** A try's deadline and its grace, and the tries begun within the time a command gives the log; and as long again. */
const ANSWERED_MS = 32_000
const SEED = 20_261_121

describe('servers that fail under load', () => {
  after(endSharedServers)

  it('lose nothing, double nothing, and what is live equals what is rebuilt', async function () {
    this.timeout(240_000)
    const { acknowledged, answersLost, longestMs, read, recovered, faults } = await proveStoreFaults({
      seed: SEED,
      frozenMs: FROZEN_MS,
    })
    expect(faults).to.deep.equal([])
    expect(acknowledged).to.be.greaterThan(100)
    expect(answersLost).to.be.greaterThan(20)
    expect(read).to.be.greaterThan(100)
    expect(longestMs).to.be.lessThan(ANSWERED_MS)
    for (const [fault, ms] of Object.entries(recovered)) {
      expect(ms, fault).to.be.lessThan(fault === 'subscription silent' ? SILENCE_FOUND_MS : GOES_ON_MS)
    }
  })
})
