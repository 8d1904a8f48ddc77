// What a run of random boards says about an answer that was wrong.

import { expect } from 'chai'
import fc from 'fast-check'
import { history } from './histories.ts'
import { reportOf } from './prove-reads.ts'

const SEED = 7

describe('the report of a difference from the model', () => {
  it('has the question, both answers and the whole history where the difference does not show again', async () => {
    const [one] = fc.sample(history, { numRuns: 1, seed: SEED })
    if (one === undefined) throw new Error('no history was made')
    const difference = { step: 0, asked: { limit: '3' }, answered: { status: 503 }, foretold: { status: 200 } }
    const report = await reportOf({ seed: SEED, windows: undefined }, { index: 0, one, difference })
    const whole = JSON.stringify({ difference, history: one }, null, 1)
    expect(report).to.equal(`differed beside others, not alone: seed ${SEED}, board 0: ${whole}`)
  }).timeout(60_000)
})
