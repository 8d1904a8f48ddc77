// A server that starts and stops: its health, its admin port, and calls that run while it closes.

import { connect } from 'node:net'
import { expect } from 'chai'
import { createAdminServer } from '../../http/server.ts'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import type { Buckets } from '../../stores/contract/transient.ts'
import { call } from './pipeline-calls.ts'
import { createWorld } from './pipeline-world.ts'

describe('starting and stopping', () => {
  it('answers its health without rate limits, and metrics to operators only', async () => {
    let ready = false
    const rates: Buckets = {
      take: async (buckets) => buckets.map(() => ({ admitted: false, remaining: 0, retryAfterMs: 1_000 })),
      spend: async ({ burst }) => burst,
    }
    const world = await createWorld({ rateLimits: DEFAULT_RATE_LIMITS, rates, ready: () => ready })
    const admin = createAdminServer({ metrics: world.metrics, ready: () => ready })
    const adminUrl = `http://127.0.0.1:${await admin.listen(0, '127.0.0.1')}`
    try {
      expect((await call(`${world.url}/health/live`)).status).to.equal(200)
      expect((await call(`${world.url}/health/ready/`)).status).to.equal(503)
      ready = true
      expect((await call(`${world.url}/health/ready`)).status).to.equal(200)
      expect((await call(`${world.url}/health/ready`, { method: 'POST' })).status).to.equal(405)
      expect((await call(`${world.url}/metrics`)).status).to.equal(429)
      expect((await call(`${adminUrl}/metrics`)).text).to.include('scorebook_http_requests_in_flight 0')
      expect((await call(`${adminUrl}/api/`)).status).to.equal(404)
    } finally {
      await admin.close(1_000)
      await world.close()
    }
  })

  it('finishes running calls with Connection: close, and accepts no more', async () => {
    const world = await createWorld()
    const running = call(`${world.url}/api/lb/b1/slow/`, { method: 'POST', token: 'tenant' })
    await world.gate.entered
    const closed = world.close()
    while ((await connected(world.port)) === null);
    expect(await connected(world.port)).to.equal('ECONNREFUSED')
    world.gate.open()
    const answer = await running
    expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close'])
    await closed
  })

  it('cuts calls that do not end in time', async () => {
    const world = await createWorld()
    const running = call(`${world.url}/api/lb/b1/slow/`, { method: 'POST', token: 'tenant' }).catch(() => 'cut')
    await world.gate.entered
    await world.http.close(1)
    expect(await running).to.equal('cut')
    world.gate.open()
  })
})

/** Null if somebody listens there, else the error. Disconnects at once. */
function connected(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(null)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}
