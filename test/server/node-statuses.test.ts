// How long a node caches the statuses of callers: longer on embedded stores.

import { expect } from 'chai'
import { STATUS_CACHED_EMBEDDED_MS, STATUS_CACHED_MS } from '../../access/status-cache.ts'
import { statusCachedMs } from '../../server/compose-pipeline.ts'

const SERVERS = { eventStoreUrl: 'esdb://log', mongoUrl: 'mongodb://views', redisUrl: 'redis://ranks' }

describe('the cache time of statuses', () => {
  it('is ten minutes on embedded stores, and 30 s on servers', () => {
    expect([STATUS_CACHED_EMBEDDED_MS, STATUS_CACHED_MS]).to.deep.equal([600_000, 30_000])
    expect(statusCachedMs({ servers: null })).to.equal(STATUS_CACHED_EMBEDDED_MS)
    expect(statusCachedMs({ servers: SERVERS })).to.equal(STATUS_CACHED_MS)
  })
})
