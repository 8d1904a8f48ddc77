// The real process, killed under load.

import { expect } from 'chai'
import { SEED, sized } from '../seeds.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { proveKills } from './prove-kills.ts'

/** On servers each kill costs as long as the markers of running calls outlive a node. */
const KILLS = ON_SERVERS ? 3 : sized(2, 10)

describe('kill -9 under load', () => {
  it(`loses no acknowledged submission and duplicates no repeated one, over ${KILLS} kills`, async function () {
    this.timeout(180_000)
    const { acknowledged, retried, faults } = await proveKills({ kills: KILLS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(acknowledged).to.be.greaterThan(KILLS * 10)
    expect(retried).to.be.greaterThan(KILLS)
  })
})
