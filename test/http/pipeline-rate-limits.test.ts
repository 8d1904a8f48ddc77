// Rate limits of calls: what they report, refuse and count.

import { expect } from 'chai'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { createRates } from '../../stores/embedded/transient.ts'
import { call } from './pipeline-calls.ts'
import { createWorld } from './pipeline-world.ts'

const SCORE = '/api/lb/b1/score/'

describe('rate limits', () => {
  const wide = { perSecond: 100, burst: 1_000 }
  const limits = {
    address: wide,
    key: wide,
    player: { perSecond: 2, burst: 3 },
    handshake: { perSecond: 1, burst: 1 },
    guest: wide,
  }

  it('report what is left, refuse when nothing is, and recover with time', async () => {
    const world = await createWorld({ rateLimits: limits })
    try {
      const first = await call(world.url + SCORE, { token: 'client' })
      expect(first.headers.get('ratelimit-policy')).to.equal(
        '"address";q=1000;w=10, "key";q=1000;w=10, "player";q=3;w=2',
      )
      expect(first.headers.get('ratelimit')).to.equal('"address";r=999;t=1, "key";r=999;t=1, "player";r=2;t=1')
      for (let more = 0; more < 2; more++)
        expect((await call(world.url + SCORE, { token: 'client' })).status).to.equal(200)
      const refused = await call(world.url + SCORE, { token: 'client' })
      expect([refused.status, refused.json.code, refused.json.policy]).to.deep.equal([429, 'rate_limited', 'player'])
      const counted = 'scorebook_refused_total{code="rate_limited",policy="player"} 1\n'
      expect(await world.metrics.metrics()).to.include(counted)
      expect([refused.headers.get('retry-after'), refused.json.retry_after]).to.deep.equal(['1', 1])
      expect((await call(world.url + SCORE, { token: 'tenant' })).status).to.equal(200)
      world.clock.nowMs += 500
      expect((await call(world.url + SCORE, { token: 'client' })).status).to.equal(200)
    } finally {
      await world.close()
    }
  })

  it('count handshakes by address', async () => {
    const world = await createWorld({ rateLimits: limits })
    const redeem = () => call(`${world.url}/api/auth/jwt/redeem/`, { method: 'POST', body: { request_id: 'r' } })
    try {
      expect((await redeem()).status).to.equal(200)
      expect((await redeem()).json.policy).to.equal('handshake')
    } finally {
      await world.close()
    }
  })

  it('count reads locally and refuse handshakes while the shared store is down', async () => {
    const unavailable = () => Promise.reject(new Error('unavailable'))
    const rates = { take: unavailable, spend: unavailable }
    const world = await createWorld({ rateLimits: limits, rates })
    try {
      expect((await call(world.url + SCORE, { token: 'client' })).status).to.equal(200)
      const redeem = await call(`${world.url}/api/auth/jwt/redeem/`, { method: 'POST', body: { request_id: 'r' } })
      expect([redeem.status, redeem.json.code]).to.deep.equal([503, 'store_away'])
    } finally {
      await world.close()
    }
  })

  it('are off with RATE_LIMITS=off, and allow a player 50 calls a second by default', async () => {
    const world = await createWorld({ rateLimits: 'off', rates: createRates() })
    try {
      expect((await call(world.url + SCORE, { token: 'client' })).headers.get('ratelimit')).to.equal(null)
      expect(DEFAULT_RATE_LIMITS.player).to.deep.equal({ perSecond: 50, burst: 250 })
    } finally {
      await world.close()
    }
  })
})
