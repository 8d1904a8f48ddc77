// Odd inputs of every kind that is taken: 400 here, and 200 on servers; more in `npm run proof`.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { ON_SERVERS } from '../servers/places.ts'
import { proveOddInputs } from './prove-odd-inputs.ts'

const INPUTS = ON_SERVERS ? 200 : 400
/** Another one each day, told on failure. */
const SEED = Math.floor(Date.now() / 86_400_000)

describe('odd input that is taken', () => {
  it('is answered as the contract says, stored, projected, and the same when rebuilt', async () => {
    const { faults, tried, entries, players } = await proveOddInputs({ inputs: INPUTS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(tried).to.equal(INPUTS)
    expect([entries > INPUTS / 5, players > INPUTS / 10]).to.deep.equal([true, true])
  }).timeout(BUILD_TIMEOUT_MS)
})
