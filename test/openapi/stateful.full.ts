// Calls drawn from the OpenAPI document, in sequence: 5,000 in `npm run test:full`, 200,000 in `npm run proof:openapi`.

import { expect } from 'chai'
import { SEED } from '../seeds.ts'
import { proveStateful } from './prove-stateful.ts'

const REQUESTS = 5_000
const TIMEOUT_MS = 240_000
/** Share of the operations that must have succeeded at least once. */
const SUCCEEDED_MIN = 0.7

describe('calls drawn from the OpenAPI document', () => {
  it('are all answered as the document declares, and never by a failure of the service', async () => {
    const { tried, findings, coverage } = await proveStateful({ requests: REQUESTS, seed: SEED })
    expect(findings.reports(), findings.reports().join('\n\n')).to.deep.equal([])
    expect(tried).to.equal(REQUESTS)
    const all = [...coverage]
    const notCalled = all.filter(([, { called }]) => called === 0).map(([id]) => id)
    expect(notCalled, 'never called').to.deep.equal([])
    const notSucceeded = all.filter(([, { succeeded }]) => succeeded === 0).map(([id]) => id)
    const share = (all.length - notSucceeded.length) / all.length
    expect(share, `never answered with 2xx: ${notSucceeded.join(', ')}`).to.be.at.least(SUCCEEDED_MIN)
  }).timeout(TIMEOUT_MS)
})
