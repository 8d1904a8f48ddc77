// Limits of requests in flight and of large unread answers, per network address and per process.

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { z } from 'zod'
import { openRoute } from '../../http/route.ts'
import type { Buckets } from '../../stores/contract/transient.ts'
import { createRates } from '../../stores/embedded/transient.ts'
import { gate, until } from '../until.ts'
import { call } from './pipeline-calls.ts'
import { createWorld, type World, type WorldOptions } from './pipeline-world.ts'
import { get, openRaw } from './raw-connection.ts'

const RATE = { perSecond: 1_000, burst: 1_000 }
const RATES = { key: RATE, player: RATE, address: RATE, handshake: RATE, guest: RATE }
/** More than the system buffers of one connection. */
const BIG = 16 * 1_048_576
const SHARED = Buffer.alloc(BIG, 'x')

describe('limits of requests in flight and unread answers', () => {
  let world: World
  let open: () => void
  let handled = 0
  afterEach(() => world.close())

  async function begin(options: WorldOptions) {
    const { opened, open: opening } = gate()
    open = opening
    const route = openRoute({
      method: 'GET',
      path: '/api/test/:what/',
      summary: 'A test.',
      needs: 'nothing',
      tenantOnly: false,
      records: false,
      answers: { 200: z.unknown() },
      handle: async ({ params: { what } }) => {
        handled += 1
        if (what === 'slow') await opened
        if (what === 'shared') return { status: 200, body: SHARED, isShared: true }
        return { status: 200, body: what === 'big' ? 'x'.repeat(BIG) : {} }
      },
    })
    world = await createWorld({ routes: [route], rateLimits: RATES, ...options })
  }

  /** Asks for a path and reads nothing; resolves once the answer has begun. */
  async function silent(path: string) {
    const accepted = once(world.http.server, 'connection')
    const { socket } = await openRaw(world.port)
    socket.pause()
    socket.write(get(path))
    const [ours] = (await accepted) as [Socket]
    await new Promise<void>((resolve) => {
      const check = () => (ours.writableLength > 0 ? resolve() : setImmediate(check))
      check()
    })
    return { socket, closed: new Promise((resolve) => ours.once('close', resolve)) }
  }

  it('refuse a request above the limit of an address with 429, until one is answered', async () => {
    await begin({ edgeLimits: { requests: { perAddress: 1, perProcess: 9 } } })
    const slow = call(`${world.url}/api/test/slow/`)
    await once(world.http.server, 'request')
    const refused = await call(`${world.url}/api/test/quick/`)
    expect([refused.status, refused.json.code, refused.json.policy]).to.deep.equal([
      429,
      'rate_limited',
      'address_requests',
    ])
    expect(refused.headers.get('retry-after')).to.equal('2')
    open()
    expect((await slow).status).to.equal(200)
    expect((await call(`${world.url}/api/test/quick/`)).status).to.equal(200)
  })

  it('free the slot of a request whose caller resets the connection while its rate is checked', async () => {
    const { opened: counted, open: count } = gate()
    const rates = createRates()
    const take: Buckets['take'] = async (buckets, nowMs) => {
      await counted
      return rates.take(buckets, nowMs)
    }
    await begin({ rates: { ...rates, take }, edgeLimits: { requests: { perAddress: 1, perProcess: 1 } } })
    const before = handled
    const arrived = once(world.http.server, 'request')
    const { socket } = await openRaw(world.port)
    socket.write(get('/api/test/quick/'))
    const [, response] = (await arrived) as [IncomingMessage, ServerResponse]
    socket.resetAndDestroy()
    await until(() => response.destroyed)
    count()
    await until(() => handled > before)
    expect((await call(`${world.url}/api/test/quick/`)).status).to.equal(200)
  })

  it('refuse a request above the limit of the process with 503', async () => {
    await begin({ rateLimits: 'off', edgeLimits: { requests: { perAddress: 1, perProcess: 1 } } })
    const slow = call(`${world.url}/api/test/slow/`)
    await once(world.http.server, 'request')
    const refused = await call(`${world.url}/api/test/quick/`)
    expect([refused.status, refused.json.code]).to.deep.equal([503, 'server_full'])
    open()
    await slow
  })

  it('refuse a large answer while another one is unread, and no small or shared answer', async () => {
    await begin({ edgeLimits: { answers: { perAddress: 1.5 * BIG, perProcess: 9 * BIG } } })
    const unread = await silent('/api/test/big/')
    const refused = await call(`${world.url}/api/test/big/`)
    expect([refused.status, refused.json.code, refused.json.policy]).to.deep.equal([
      429,
      'rate_limited',
      'address_answers',
    ])
    expect((await call(`${world.url}/api/test/small/`)).status).to.equal(200)
    expect((await call(`${world.url}/api/test/shared/`)).text.length).to.equal(BIG)
    unread.socket.destroy()
    await unread.closed
    expect((await call(`${world.url}/api/test/big/`)).text.length).to.equal(BIG + 2)
  })

  it('hold a shared answer in memory once, for any number of callers who do not read it', async () => {
    await begin({})
    const before = process.memoryUsage().arrayBuffers
    for (let callers = 0; callers < 4; callers++) await silent('/api/test/shared/')
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(BIG)
    world.http.server.closeAllConnections()
  })
})
