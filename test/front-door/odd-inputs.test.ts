// Unusual valid input of every kind: 80 in `npm test`, 400 in `npm run test:full`, 60 on servers; more in
// `npm run proof:odd-inputs`.

import { expect } from 'chai'
import { SEED, sized } from '../seeds.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { proveOddInputs } from './prove-odd-inputs.ts'

const INPUTS = ON_SERVERS ? 60 : sized(80, 400)

describe('unusual but valid input', () => {
  it('is answered with the right code, and stored, projected and rebuilt without a difference', async () => {
    const { faults, tried, entries, players } = await proveOddInputs({ inputs: INPUTS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(tried).to.equal(INPUTS)
    expect([entries > INPUTS / 5, players > INPUTS / 10]).to.deep.equal([true, true])
  }).timeout(BUILD_TIMEOUT_MS)
})
