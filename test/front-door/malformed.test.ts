// Malformed input of every kind on every route: 800 calls in `npm test`, 1,500 in `npm run test:full`.

import { expect } from 'chai'
import { SEED, sized } from '../seeds.ts'
import { proveMalformed } from './prove-malformed.ts'

const REQUESTS = sized(800, 1_500)
/** For a slow machine, with servers. */
const TIMEOUT_MS = 240_000

describe('malformed input', () => {
  it('answers every malformed call with what was wrong and where, and never with a 5xx', async () => {
    const { report, tried, statuses } = await proveMalformed({ requests: REQUESTS, seed: SEED })
    expect(report, report ?? undefined).to.equal(null)
    expect(tried).to.equal(REQUESTS)
    // All kinds of answers occurred, so the calls reach every check.
    for (const status of [200, 201, 400, 401, 403, 404, 413, 415, 422])
      expect(statuses, String(status)).to.have.property(String(status))
  }).timeout(TIMEOUT_MS)
})
