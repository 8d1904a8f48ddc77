// The report of a wrong answer about a random board.

import { expect } from 'chai'
import fc from 'fast-check'
import { history } from './histories.ts'
import { reportOf } from './prove-reads.ts'

const SEED = 7

describe('the report of a difference from the model', () => {
  it('contains the query, both answers and the whole history when the difference does not recur', async () => {
    const [one] = fc.sample(history, { numRuns: 1, seed: SEED })
    if (one === undefined) throw new Error('no history was made')
    const difference = { step: 0, request: { limit: '3' }, answered: { status: 503 }, expected: { status: 200 } }
    const report = await reportOf({ seed: SEED, windows: undefined }, { index: 0, one, difference })
    const details = JSON.stringify({ difference, history: one }, null, 1)
    expect(report).to.equal(`differed beside others, not alone: seed ${SEED}, board 0: ${details}`)
  }).timeout(60_000)
})
