// A server that starts and stops: its health, its admin port, and calls that run while it closes.

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { createAdminServer } from '../../http/server.ts'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import type { Buckets } from '../../stores/contract/transient.ts'
import { turn } from '../until.ts'
import { call } from './pipeline-calls.ts'
import { createWorld } from './pipeline-world.ts'

/** Most of it is waiting; the rest is room for a busy machine. */
const CLOSED_WITHIN_MS = 2_500

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

  it('closes silent, idle and half-sent connections within about a second, and finishes what it is answering', async () => {
    const world = await createWorld()
    const head = 'POST /api/lb/b1/slow/ HTTP/1.1\r\nHost: x\r\n'
    const sent: Readonly<Record<string, string>> = {
      silent: '',
      'half a head': head,
      'half a line': 'GE',
      'half a body': `${head}Authorization: Bearer tenant\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      idle: 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n',
    }
    const began: Record<string, { readonly ended: Promise<void> }> = {}
    for (const [what, text] of Object.entries(sent)) began[what] = await stuck(world.port, text, what === 'idle')
    const running = call(`${world.url}/api/lb/b1/slow/`, { method: 'POST', token: 'tenant' })
    await world.gate.entered
    const startedMs = performance.now()
    const closed = world.http.close(60_000)
    for (const [what, { ended }] of Object.entries(began)) {
      await ended
      expect(performance.now() - startedMs, what).to.be.below(CLOSED_WITHIN_MS)
    }
    world.gate.open()
    expect((await running).status).to.equal(200)
    await closed
    await world.close()
  })

  it('keeps a connection open while its request arrives in pieces, and answers it', async () => {
    const world = await createWorld()
    const socket = connect(world.port, '127.0.0.1')
    await once(socket, 'connect')
    const text = 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: '
    socket.write(text)
    const running = call(`${world.url}/api/lb/b1/slow/`, { method: 'POST', token: 'tenant' })
    await world.gate.entered
    const closed = world.http.close(60_000)
    const dribble = setInterval(() => socket.write('x'), 100)
    try {
      // Longer than a client that has stopped would be waited for.
      const until = performance.now() + 1_000
      while (performance.now() < until) await turn()
      socket.write('\r\n\r\n')
    } finally {
      clearInterval(dribble)
    }
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString().split('\r\n')[0]).to.equal('HTTP/1.1 200 OK')
    world.gate.open()
    expect((await running).status).to.equal(200)
    await closed
    await world.close()
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

/** Connects and sends this. Resolves, once the server has it, to a promise of the connection's end. */
async function stuck(port: number, text: string, isAnswered: boolean): Promise<{ readonly ended: Promise<void> }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  if (text !== '') socket.write(text)
  if (isAnswered) await once(socket, 'data')
  socket.resume()
  return { ended }
}

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
