// The real process, killed under load.

import { expect } from 'chai'
import { ON_SERVERS } from '../servers/places.ts'
import { proveKills } from './prove-kills.ts'

/** On servers each costs as long as the marks of calls in progress outlive a node. */
const KILLS = ON_SERVERS ? 3 : 20
const SEED = 20_261_121

describe('kill -9 under load', () => {
  it(`loses nothing acknowledged and doubles nothing sent again, over ${KILLS} kills`, async function () {
    this.timeout(180_000)
    const { acknowledged, retried, faults } = await proveKills({ kills: KILLS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(acknowledged).to.be.greaterThan(KILLS * 10)
    expect(retried).to.be.greaterThan(KILLS)
  })
})
