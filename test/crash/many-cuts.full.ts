// Calls with many submissions through a proxy that cuts them.

import { expect } from 'chai'
import { SEED } from '../seeds.ts'
import { proveManyCuts } from './prove-many-cuts.ts'

const CALLS = 400

describe('calls with many submissions through a proxy that cuts requests and answers', () => {
  it(`records every submission once and answers it as recorded, over ${CALLS} repeated calls`, async function () {
    this.timeout(300_000)
    const { tries, cuts, corrected, faults } = await proveManyCuts({ calls: CALLS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(Object.keys(cuts).sort()).to.deep.equal(
      ['after the request', 'before the answer', 'within the body', 'within the head', 'within the request'].sort(),
    )
    expect(tries).to.be.greaterThan(CALLS)
    expect(corrected).to.be.greaterThan(0)
  })
})
