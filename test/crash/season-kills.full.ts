// The real process, killed near the ends of seasons.

import { expect } from 'chai'
import { SEED } from '../seeds.ts'
import { proveSeasonKills } from './prove-season-kills.ts'

const KILLS = 20

describe('kill -9 near the end of a season', () => {
  it(`closes each season once and in order, and loses no submission, over ${KILLS} kills`, async function () {
    this.timeout(600_000)
    const { seasons, acknowledged, retried, faults } = await proveSeasonKills({
      kills: KILLS,
      seed: SEED,
      nodesOnServers: 0,
    })
    expect(faults).to.deep.equal([])
    expect(seasons).to.be.greaterThan(KILLS)
    expect(acknowledged).to.be.greaterThan(KILLS * 10)
    expect(retried).to.be.greaterThan(0)
  })
})
