// The real process, killed in the middle of calls with many submissions.

import { expect } from 'chai'
import { SEED } from '../seeds.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { proveManyKills, SUBMISSIONS_A_KILL } from './prove-many-kills.ts'

/** On servers each kill costs as long as the markers of running calls outlive a node. */
const KILLS = ON_SERVERS ? 3 : 20

describe('kill -9 in the middle of calls with many submissions', () => {
  it(`leaves every submission recorded once after each call is repeated, over ${KILLS} kills`, async function () {
    this.timeout(300_000)
    const { submissions, answered, hadBeenRecorded, faults } = await proveManyKills({ kills: KILLS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(submissions).to.equal(KILLS * SUBMISSIONS_A_KILL)
    expect(hadBeenRecorded).to.be.greaterThan(0)
    expect(answered).to.be.greaterThan(0)
  })
})
