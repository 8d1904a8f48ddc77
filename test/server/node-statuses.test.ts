// How long a node caches the statuses of callers: longer only where no store is a server.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { STATUS_CACHED_EMBEDDED_MS, STATUS_CACHED_MS } from '../../access/status-cache.ts'
import { statusCachedMs } from '../../server/node-statuses.ts'

const EMBEDDED = { eventStoreUrl: null, mongoUrl: null, redisUrl: null }

describe('the cache time of statuses', () => {
  it('is ten minutes without servers, and 30 s with any one of them', () => {
    expect([STATUS_CACHED_EMBEDDED_MS, STATUS_CACHED_MS]).to.deep.equal([600_000, 30_000])
    expect(statusCachedMs(EMBEDDED)).to.equal(STATUS_CACHED_EMBEDDED_MS)
    for (const name of Object.keys(EMBEDDED)) {
      expect(statusCachedMs({ ...EMBEDDED, [name]: 'url' }), name).to.equal(STATUS_CACHED_MS)
    }
  })
})
