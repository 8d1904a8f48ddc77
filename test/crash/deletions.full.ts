// The real process, killed while it deletes a game and players.

import { expect } from 'chai'
import { SEED } from '../seeds.ts'
import { proveDeletions } from './prove-deletions.ts'

const KILLS = 4

describe('kill -9 during deletions', () => {
  it(`leaves nothing of what was deleted, and says nothing too early, over ${KILLS} kills of each`, async function () {
    this.timeout(240_000)
    const { kills, faults } = await proveDeletions({ kills: KILLS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(kills).to.be.at.least(2 * KILLS)
  })
})
