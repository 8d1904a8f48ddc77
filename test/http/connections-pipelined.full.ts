// Pipelined requests: one runs at a time, and a client that reads nothing makes the server hold one answer.

import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { z } from 'zod'
import { openRoute } from '../../http/route.ts'
import { gate, turn } from '../until.ts'
import { call } from './pipeline-calls.ts'
import { createWorld, type World, type WorldOptions } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

const BIG_BYTES = 16 * 1_048_576
const common = {
  method: 'GET',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
  answers: { 200: z.unknown() },
} as const

/** Counts the running calls of `/api/test/:n/`, which answers a large body if `n` is `big`. */
function counted() {
  const runs = { now: 0, max: 0, all: [] as string[] }
  const { opened, open } = gate()
  const route = openRoute({
    ...common,
    path: '/api/test/:n/',
    summary: 'A test.',
    handle: async ({ params: { n = '' } }) => {
      runs.all.push(n)
      runs.max = Math.max(runs.max, ++runs.now)
      if (n === 'slow') await opened
      else await turn()
      runs.now--
      return { status: 200, body: n === 'big' ? 'x'.repeat(BIG_BYTES) : { n } }
    },
  })
  return { runs, open, route }
}

const chunked = (target: string, headers: readonly string[], count: number): string =>
  [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Transfer-Encoding: chunked', ...headers, '', ''].join('\r\n') +
  '1\r\nx\r\n'.repeat(count)

/** The next request with this method, as soon as its headers are parsed. */
const arrivalOf = ({ http: { server } }: World, method: string) =>
  new Promise<IncomingMessage>((resolve) => {
    const check = (request: IncomingMessage) => {
      if (request.method === method) resolve(request)
    }
    for (const event of ['request', 'checkExpectation', 'checkContinue']) server.on(event, check)
  })

describe('pipelined requests', () => {
  let world: World
  afterEach(() => world.close())

  async function begin(options: WorldOptions = {}) {
    const { runs, open, route } = counted()
    world = await createWorld({ routes: [route], ...options })
    return { runs, open }
  }

  const metric = async (text: string) =>
    (await world.metrics.metrics()).split('\n').find((line) => line.startsWith(text))

  it('answers 1,000 requests of one write in order, and runs one of them at a time', async () => {
    const { runs } = await begin()
    const wanted = Array.from({ length: 1_000 }, (_, n) => `${n}`)
    const { socket, until } = await openRaw(world.port)
    socket.write(wanted.map((n) => get(`/api/test/${n}/`)).join(''))
    const text = await until((read) => statusesIn(read).length === 1_000 && read.endsWith('{"n":"999"}'))
    expect([...text.matchAll(/\{"n":"(\d+)"\}/g)].map(([, n]) => n)).to.deep.equal(wanted)
    expect(runs.all).to.deep.equal(wanted)
    expect(runs.max).to.equal(1)
    socket.destroy()
  })

  it('makes one answer for a client that pipelines 500 requests and reads none', async () => {
    const { runs } = await begin()
    const { socket, ended } = await openRaw(world.port)
    socket.pause()
    socket.write(get('/api/test/big/').repeat(500))
    // Far more event-loop iterations than the other requests would need to begin.
    for (let n = 0; n < 50; n++) expect((await call(`${world.url}/api/test/${n}/`)).status).to.equal(200)
    expect(runs.all.filter((n) => n === 'big')).to.deep.equal(['big'])
    expect(await metric('scorebook_http_paused_total')).to.match(/ 499$/)
    socket.destroy()
    await ended
  })

  it('reads the body of a pipelined request when the requests before it are answered', async () => {
    const { open } = await begin()
    const { socket, until } = await openRaw(world.port)
    const body = JSON.stringify({ request_id: 'y'.repeat(60_000) })
    const head = ['POST /api/auth/jwt/redeem/ HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    socket.write(
      get('/api/test/slow/') + [...head, `Content-Length: ${body.length}`, '', body.slice(0, 10)].join('\r\n'),
    )
    await call(`${world.url}/api/test/1/`)
    socket.write(body.slice(10) + get('/api/test/2/'))
    open()
    const text = await until((read) => read.endsWith('{"n":"2"}'))
    expect(statusesIn(text)).to.deep.equal([200, 200, 200])
    expect(text).to.include(body)
    socket.destroy()
  })

  it('closes a connection whose waiting requests exceed their memory limit, and no other', async () => {
    const { open } = await begin({ edgeLimits: { waiting: { perAddress: 3, perProcess: 3 } } })
    const [patient, greedy] = [await openRaw(world.port), await openRaw(world.port)]
    patient.socket.write(get('/api/test/slow/') + get('/api/test/1/').repeat(3))
    await call(`${world.url}/api/test/0/`)
    greedy.socket.write(get('/api/test/slow/') + get('/api/test/2/').repeat(3))
    expect(await greedy.ended).to.equal('')
    open()
    expect(statusesIn(await patient.until((read) => statusesIn(read).length === 4))).to.deep.equal([200, 200, 200, 200])
    expect(await metric('scorebook_http_closed_total')).to.equal('scorebook_http_closed_total{reason="waiting"} 1')
    patient.socket.destroy()
  })

  it('closes a connection whose waiting body exceeds the limit of its network address', async () => {
    const rate = { perSecond: 1_000, burst: 1_000 }
    const rateLimits = { key: rate, player: rate, address: rate, handshake: rate, guest: rate }
    const { open } = await begin({ rateLimits, edgeLimits: { bodies: { perAddress: 2, perProcess: 100 } } })
    const post = 'POST /api/test/1/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}'
    const [first, second] = [await openRaw(world.port), await openRaw(world.port)]
    for (const { socket } of [first, second]) socket.write(get('/api/test/slow/') + post)
    await call(`${world.url}/api/test/0/`)
    const third = await openRaw(world.port)
    third.socket.write(get('/api/test/slow/') + post)
    expect(await third.ended).to.equal('')
    const other = await openRaw(world.port, '127.0.0.2')
    other.socket.write(get('/api/test/2/') + post)
    open()
    for (const { until, socket } of [first, second, other]) {
      expect(statusesIn(await until((read) => statusesIn(read).length === 2))).to.deep.equal([200, 405])
      socket.destroy()
    }
    expect(await metric('scorebook_http_closed_total')).to.equal('scorebook_http_closed_total{reason="waiting"} 1')
  })

  it('answers the requests before invalid HTTP bytes first, and then refuses the bytes', async () => {
    const { open } = await begin()
    const { socket, ended } = await openRaw(world.port)
    socket.write(`${get('/api/test/slow/')}${get('/api/test/1/')}NO HTTP\r\n\r\n`)
    await call(`${world.url}/api/test/0/`)
    open()
    const text = await ended
    expect(statusesIn(text)).to.deep.equal([200, 200, 400])
    expect(text.indexOf('{"n":"slow"}')).to.be.within(0, text.indexOf('{"n":"1"}'))
  })

  it('refuses a pipelined request with a broken body after the earlier answers, without running it', async () => {
    const { open } = await begin()
    const { socket, ended } = await openRaw(world.port)
    const head = 'POST /api/auth/jwt/redeem/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
    socket.write(`${get('/api/test/slow/')}${head}5\r\nab`)
    await call(`${world.url}/api/test/0/`)
    socket.end()
    open()
    expect(statusesIn(await ended)).to.deep.equal([200, 400])
  })

  for (const [name, target, ...headers] of [
    ['an expectation', '/api/auth/jwt/redeem/', 'Expect: x'],
    ['100-continue', '/api/auth/jwt/redeem/', 'Expect: 100-continue'],
    ['a target in absolute form', 'http://localhost/api/auth/jwt/redeem/'],
    ['a path outside the API', '/elsewhere'],
  ] as const) {
    it(`keeps no chunk of a waiting body unread, with ${name}`, async () => {
      const { open } = await begin()
      const waiting = arrivalOf(world, 'POST')
      const { socket, until } = await openRaw(world.port)
      socket.write(get('/api/test/slow/') + chunked(target, headers, 10_000))
      const request = await waiting
      await call(`${world.url}/api/test/0/`)
      expect([request.readableFlowing, request.readableLength]).to.deep.equal([true, 0])
      open()
      await until((read) => read.includes('{"n":"slow"}'))
      socket.destroy()
    })
  }

  it('keeps 64 unread chunks of a body for the realtime server, and closes the connection after the earlier answers', async () => {
    const { open } = await begin()
    const waiting = arrivalOf(world, 'POST')
    const { socket, ended } = await openRaw(world.port)
    socket.write(get('/api/test/slow/') + chunked('/socket.io/?EIO=4', [], 10_000))
    const request = await waiting
    await call(`${world.url}/api/test/0/`)
    expect(request.readableLength).to.equal(64)
    open()
    expect(statusesIn(await ended)).to.deep.equal([200])
    expect(await metric('scorebook_http_closed_total')).to.equal('scorebook_http_closed_total{reason="chunks"} 1')
  })

  it('leaves the chunks of a waiting body for the realtime server to its handler', async () => {
    const { open } = await begin()
    const waiting = arrivalOf(world, 'POST')
    const { socket } = await openRaw(world.port)
    socket.write(`${get('/api/test/slow/')}${chunked('/socket.io/?EIO=4', [], 64)}0\r\n\r\n`)
    const request = await waiting
    await call(`${world.url}/api/test/0/`)
    expect([request.readableLength, request.complete]).to.deep.equal([64, true])
    open()
    socket.destroy()
  })

  it('does not run requests after one whose answer closes the connection', async () => {
    const { runs } = await begin()
    const { socket, ended } = await openRaw(world.port)
    socket.write(get('/api/test/1/', 'Connection: close') + get('/api/test/2/'))
    expect(statusesIn(await ended)).to.deep.equal([200])
    expect(runs.all).to.deep.equal(['1'])
  })
})
