// Malformed input of every kind on every route: 1,500 calls here, more in `npm run proof`.

import { expect } from 'chai'
import { proveMalformed } from './prove-malformed.ts'

const REQUESTS = 1_500
/** On a slow machine, on servers. */
const TIMEOUT_MS = 240_000
/** Another one each day, told on failure. */
const SEED = Math.floor(Date.now() / 86_400_000)

describe('malformed input', () => {
  it('never fails the service, and is answered with what was wrong and where', async () => {
    const { report, tried, statuses } = await proveMalformed({ requests: REQUESTS, seed: SEED })
    expect(report, report ?? undefined).to.equal(null)
    expect(tried).to.equal(REQUESTS)
    // All kinds of answers were met, so the calls reach every check.
    for (const status of [200, 201, 400, 401, 403, 404, 413, 415, 422])
      expect(statuses, String(status)).to.have.property(String(status))
  }).timeout(TIMEOUT_MS)
})
