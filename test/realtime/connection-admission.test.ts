// The handshake: a ticket admits one connection; without a ticket there is no session, and requests that name no live
// connection are answered within the rate of their network address.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import type { ConnectionAdmission } from '../../realtime/connection-admission.ts'
import { UPGRADE_MAX_MS } from '../../realtime/limits.ts'
import { roomsMetrics } from '../../realtime/metrics.ts'
import { createPostBodyReader } from '../../realtime/polling-transport.ts'
import { createPreJoinLimits } from '../../realtime/pre-join-limits.ts'
import { attachSockets, socketServer } from '../../realtime/sockets.ts'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { metricOf } from './metric-of.ts'
import { closeRoomClients, connected, dial, openRoomsFixture, type RoomsFixture } from './rooms-fixture.ts'

const ORIGIN = 'https://play.example.com'

describe('connection admission to the rooms', () => {
  let world: World
  let fixture: RoomsFixture
  before(async () => {
    world = await openWorld()
    fixture = await openRoomsFixture(world, { require_player: false })
  })
  after(() => world.close())
  afterEach(() => closeRoomClients())

  const poll = (query: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling${query}`, { headers })

  it('opens no session without a ticket or with an invalid one', async () => {
    const used = await fixture.ticket(fixture.client)
    expect((await poll(`&ticket=${used}`)).status).to.equal(200)
    for (const query of [
      '',
      '&ticket=',
      '&ticket=x',
      `&ticket=${'A'.repeat(43)}`,
      `&ticket=${used}`,
      '&ticket=a&ticket=b',
    ]) {
      const answer = await poll(query)
      const body = (await answer.json()) as { message: string }
      expect([query, answer.status, body.message.split(':')[0]]).to.deep.equal([query, 403, 'ticket_rejected'])
      expect([...answer.headers.keys()].filter((name) => name.startsWith('set-'))).to.deep.equal([])
    }
    for (const transport of ['websocket', 'polling'] as const) {
      const refused = await connected({ ticket: used, port: world.port, transports: [transport] }).then(
        () => 'let in',
        (error: Error) => error.message,
      )
      expect(refused).to.match(/websocket error|xhr poll error/)
    }
    expect(await metricOf(world, 'scorebook_rooms_sockets')).to.equal(0)
  })

  it('admits exactly one of 64 connections with the same ticket', async () => {
    const ticket = await fixture.ticket(fixture.client)
    const answers = await Promise.all(Array.from({ length: 64 }, () => poll(`&ticket=${ticket}`)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(63).fill(403)])
  })

  it('requires a new ticket for each connection', async () => {
    const roomClient = await fixture.enter({ token: fixture.client })
    const left = roomClient.over
    roomClient.socket.disconnect()
    await left
    const again = new Promise<Error>((resolve) => roomClient.socket.once('connect_error', resolve))
    roomClient.socket.connect()
    expect((await again).message).to.equal('websocket error')
  })

  it('rejects unknown transports and a handshake by POST without using the ticket', async () => {
    const ticket = await fixture.ticket(fixture.client)
    const strange = await fetch(`http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=smoke&ticket=${ticket}`)
    const posted = await fetch(`http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling&ticket=${ticket}`, {
      method: 'POST',
      body: '40',
    })
    expect([strange.status, posted.status]).to.deep.equal([400, 400])
    // JSONP: a page of any origin may load a script, without CORS.
    const script = await poll(`&ticket=${ticket}&j=0`)
    expect([script.status, (await script.text()).slice(0, 60)]).to.deep.equal([
      403,
      '{"code":4,"message":"transport_unknown: JSONP is not served.',
    ])
    expect((await poll(`&ticket=${ticket}`)).status).to.equal(200)
  })

  it('admits pages of the game’s allowed origins only', async () => {
    const strange = await poll(`&ticket=${await fixture.ticket(fixture.client)}`, { origin: ORIGIN })
    expect([strange.status, strange.headers.get('access-control-allow-origin')]).to.deep.equal([403, null])
    const own = await openRoomsFixture(world, { require_player: false })
    await own.set({}, { cors_origins: [ORIGIN] })
    const allowed = await poll(`&ticket=${await own.ticket(own.client)}`, { origin: ORIGIN })
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).to.deep.equal([200, ORIGIN])
    expect(allowed.headers.get('access-control-allow-credentials')).to.equal(null)
    const others = await poll(`&ticket=${await fixture.ticket(fixture.client)}`, { origin: ORIGIN })
    expect(others.status, 'an origin that another game allows').to.equal(403)
    await own.enter({ token: own.client, headers: { origin: ORIGIN } })
  })

  it('closes the connection when the client leaves the only namespace', async () => {
    const ticket = await fixture.ticket(fixture.client)
    const socket = dial({ ticket, port: world.port, options: { autoConnect: false } })
    const other = socket.io.socket('/other')
    const answers: string[] = []
    other.on('connect_error', ({ message }) => answers.push(message))
    const ended = new Promise((resolve) => socket.io.once('close', resolve))
    other.connect()
    await ended
    expect(answers, 'closed without an answer').to.deep.equal([])
    const roomClient = await fixture.enter({ token: fixture.client })
    const engine = roomClient.socket.io.engine
    const closed = new Promise((resolve) => engine.once('close', resolve))
    engine.write('1')
    await closed
  })

  it('does not wait for a client that disconnected before admission finished', async () => {
    const ticket = await fixture.ticket(fixture.client)
    const tcp = connectTcp(world.port, '127.0.0.1')
    tcp.on('error', () => {})
    const ended = once(tcp, 'close')
    const requestLine = `GET /socket.io/?EIO=4&transport=websocket&ticket=${ticket} HTTP/1.1\r\nHost: x\r\n`
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
    tcp.write(`${requestLine}${upgrade}Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`)
    const [first] = (await once(tcp, 'data')) as [Buffer]
    expect(first.toString('latin1')).to.match(/^HTTP\/1.1 101 /)
    // Masked with zeros. What the server sends is read and not answered, including its close frame.
    const text = '40/x,'
    tcp.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
    tcp.resume()
    await ended
  }).timeout(60_000)

  it('serves other paths as if no upgrade had been requested', async () => {
    const { request } = await import('node:http')
    const asked = (method: string, path: string, body: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAM' }
        const type = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
        const sent = request({ port: world.port, method, path, headers: { ...headers, ...type } }, (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve(`${response.statusCode} ${text}`))
        })
        sent.on('error', reject)
        sent.end(body)
      })
    expect(await asked('GET', '/health/live', '')).to.equal('200 {"status":"live"}')
    expect(await asked('POST', '/api/auth/jwt/challenge/', '{}')).to.contain('api_key_required')
    const large = JSON.stringify({ request_id: 'x'.repeat(60_000) })
    expect(await asked('POST', '/api/gm/', large)).to.contain('unauthenticated')
  })

  it('counts each handshake against the rate of its network address', async () => {
    const limits = { perSecond: 1, burst: 1_000_000 }
    const own = await openWorld({
      rateLimits: {
        key: limits,
        player: limits,
        handshake: limits,
        guest: limits,
        address: { perSecond: 0.001, burst: 20 },
      },
    })
    const url = `http://127.0.0.1:${own.port}/socket.io/?EIO=4&transport=polling&ticket=${'A'.repeat(43)}`
    const outcomes: string[] = []
    for (let n = 0; n < 25; n++) {
      const answer = await fetch(url)
      outcomes.push(`${answer.status} ${((await answer.json()) as { message: string }).message.split(':')[0]}`)
    }
    expect(new Set(outcomes)).to.deep.equal(new Set(['403 ticket_rejected', '429 rate_limited']))
    expect(outcomes.filter((one) => one === '403 ticket_rejected').length).to.be.at.most(20)
    expect(outcomes.at(-1)).to.equal('429 rate_limited')
    await own.close()
  })
})

const admission: ConnectionAdmission = {
  allowRequest: (_request, decided) => decided(null, true),
  entered: () => {},
  admitted: () => null,
  cors: (_request, decided) => decided(null, { origin: false }),
}

describe('a request that names no live connection', () => {
  it('is counted as rejected only if its network address is over its rate', async () => {
    const registry = new Registry()
    const { dropped, rejected } = roomsMetrics(registry, () => ({ sockets: 0, rooms: 0, maxUnsentBytes: 0, unread: 0 }))
    const unread = createUnreadBytes()
    const networkOf = () => '192.0.2.1'
    let isAdmitted = true
    const http = createServer()
    const io = socketServer(admission)
    attachSockets(io, http, {
      admission,
      preJoin: createPreJoinLimits({ unread, networkOf, dropped }),
      bodyReader: createPostBodyReader(unread),
      networkOf,
      admits: async () => isAdmitted,
      dropped,
      rejected,
      unupgraded: () => {},
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const { port } = http.address() as AddressInfo
    const requestUnknown = async () =>
      (await fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling&sid=none`)).status
    const count = async () =>
      (await registry.getSingleMetric('scorebook_rooms_rejected_total')?.get())?.values[0]?.value

    try {
      expect([await requestUnknown(), await count()]).to.deep.equal([400, 0])
      isAdmitted = false
      expect([await requestUnknown(), await count()]).to.deep.equal([429, 1])
    } finally {
      await io.close()
    }
  })
})

describe('the upgrade of a polling connection', () => {
  it('times out after UPGRADE_MAX_MS', async () => {
    const io = socketServer(admission)
    const http = createServer()
    io.attach(http)
    expect(Reflect.get(io.engine.opts, 'upgradeTimeout')).to.equal(UPGRADE_MAX_MS)
    await io.close()
  })
})
