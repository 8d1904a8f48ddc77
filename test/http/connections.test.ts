// Connections that do not go on as they began: an answer that its reader does not read, and a request for an
// unsupported upgrade.

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { z } from 'zod'
import { PARSED_BY_UPGRADE, PARSED_PER_TURN } from '../../http/connections/limits.ts'
import { openRoute } from '../../http/route.ts'
import { turn } from '../until.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

/** More than the system buffers of one connection. */
const BIG_BYTES = 16 * 1_048_576

const SHORT = { answerStallMs: 1_000, streamStallMs: 600_000, progressCheckEveryMs: 20 }
const READ_EVERY_MS = 8
const big = Buffer.alloc(BIG_BYTES, 'x')

const common = {
  method: 'GET',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
  answers: { 200: z.unknown() },
} as const

function* endless() {
  for (;;) yield 'x'.repeat(65_536)
}

const routes = [
  openRoute({ ...common, path: '/api/test/big/', summary: 'Big.', handle: async () => ({ status: 200, body: big }) }),
  openRoute({
    ...common,
    path: '/api/test/stream/',
    summary: 'A stream.',
    handle: async () => ({ status: 200, body: Readable.from(endless()) }),
  }),
]

describe('the progress of answers', () => {
  let world: World
  afterEach(() => world.close())

  const closed = async () =>
    (await world.metrics.metrics()).split('\n').filter((line) => line.startsWith('scorebook_http_closed_total{'))

  /** A connection that has requested a path and reads nothing, and the socket of the server for it. */
  async function silent(path: string) {
    const accepted = once(world.http.server, 'connection')
    const raw = await openRaw(world.port)
    raw.socket.pause()
    raw.socket.write(get(path, 'Connection: close'))
    const [socket] = (await accepted) as [Socket]
    return { ...raw, accepted: socket }
  }

  it('closes a connection that reads nothing of its answer for the time limit, and no stream', async () => {
    world = await createWorld({ routes, edgeLimits: SHORT })
    const stream = await silent('/api/test/stream/')
    const answer = await silent('/api/test/big/')
    const began = performance.now()
    await once(answer.accepted, 'close')
    expect(performance.now() - began).to.be.greaterThan(SHORT.answerStallMs)
    expect(await closed()).to.deep.equal(['scorebook_http_closed_total{reason="stalled"} 1'])
    expect(stream.accepted.destroyed).to.equal(false)
    answer.socket.resume()
    const text = await answer.ended
    expect(statusesIn(text)).to.deep.equal([200])
    expect(text.length).to.be.lessThan(BIG_BYTES)
    stream.socket.destroy()
  })

  it('closes a connection that reads nothing of its stream for the time limit of streams', async () => {
    world = await createWorld({ routes, edgeLimits: { ...SHORT, answerStallMs: 600_000, streamStallMs: 1_000 } })
    const stream = await silent('/api/test/stream/')
    const began = performance.now()
    await once(stream.accepted, 'close')
    expect(performance.now() - began).to.be.greaterThan(1_000)
    expect(await closed()).to.deep.equal(['scorebook_http_closed_total{reason="stalled"} 1'])
    stream.socket.destroy()
  })

  it('lets a reader take longer than the limit in total, as long as it reads some', async () => {
    world = await createWorld({ routes, edgeLimits: SHORT })
    const { socket, ended } = await silent('/api/test/big/')
    const began = performance.now()
    const reading = setInterval(() => {
      socket.resume()
      socket.once('data', () => socket.pause())
    }, READ_EVERY_MS)
    const text = await ended
    clearInterval(reading)
    expect(performance.now() - began).to.be.greaterThan(SHORT.answerStallMs)
    expect(text.length).to.be.greaterThan(BIG_BYTES)
    expect(await closed()).to.deep.equal([])
  })
})

const route = openRoute({
  method: 'GET',
  path: '/api/test/:n/',
  summary: 'A test.',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
  answers: { 200: z.unknown() },
  handle: async ({ params }) => {
    await turn()
    return { status: 200, body: params }
  },
})

const upgradeRequest = (n: number) =>
  get(`/api/test/${n}/`, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: a')

const plain = (n: number) => get(`/api/test/${n}/`)
const numbersIn = (text: string) => [...text.matchAll(/\{"n":"(\d+)"\}/g)].map(([, n]) => Number(n))

describe('requests for an unsupported upgrade', () => {
  let world: World
  before(async () => {
    world = await createWorld({ routes: [route] })
  })
  after(() => world.close())

  async function answersTo(...writes: string[]) {
    const { socket, until } = await openRaw(world.port)
    let count = 0
    for (const text of writes) {
      socket.write(text)
      count += text.split('GET ').length - 1
      await until((read) => numbersIn(read).length === count)
    }
    const text = await until(() => true)
    socket.destroy()
    return { statuses: statusesIn(text), numbers: numbersIn(text) }
  }

  for (const [name, writes, count] of [
    ['with requests behind it', [upgradeRequest(0) + plain(1) + plain(2)], 3],
    ['behind requests that are not answered yet', [plain(0) + plain(1) + upgradeRequest(2) + plain(3)], 4],
    ['behind one another', [upgradeRequest(0) + plain(1) + upgradeRequest(2) + plain(3) + upgradeRequest(4)], 5],
    ['20 times on one connection', Array.from({ length: 20 }, (_, n) => upgradeRequest(n)), 20],
  ] as const) {
    it(`are answered in order ${name}`, async () => {
      const { statuses, numbers } = await answersTo(...writes)
      expect(numbers).to.deep.equal(Array.from({ length: count }, (_, n) => n))
      expect(statuses).to.deep.equal(Array(count).fill(200))
    })
  }

  it('are taken four at a time on one connection, and the next only after the time of those', async () => {
    const observed = { thisIteration: 0, max: 0 }
    const count = () => {
      if (observed.thisIteration++ === 0) setImmediate(() => (observed.thisIteration = 0))
      observed.max = Math.max(observed.max, observed.thisIteration)
    }
    world.http.server.on('upgrade', count)
    const { socket, until } = await openRaw(world.port)
    socket.write(get('/health/live', 'Connection: Upgrade', 'Upgrade: h2c').repeat(40))
    await until((text) => statusesIn(text).length === 40)
    world.http.server.off('upgrade', count)
    socket.destroy()
    // The first request waits for no other and is not counted.
    expect(observed.max).to.be.at.most(1 + PARSED_PER_TURN / PARSED_BY_UPGRADE)
  })

  it('do not fail the server when a connection is reset while an upgrade waits for answers', async () => {
    const { socket, ended } = await openRaw(world.port)
    socket.write(plain(0).repeat(50) + upgradeRequest(1))
    socket.resetAndDestroy()
    await ended
    expect((await answersTo(plain(7))).numbers).to.deep.equal([7])
  })
})
