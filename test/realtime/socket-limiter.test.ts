// Limits on open connections: one above the limit is rejected at the handshake, and each disconnect frees a slot.

import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { expect } from 'chai'
import { SOCKETS_PER_PLAYER } from '../../realtime/limits.ts'
import { createSocketLimiter } from '../../realtime/socket-limiter.ts'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { turn } from '../until.ts'
import { metricOf } from './metric-of.ts'
import { closeRoomClients, openRoomsFixture, type RoomsFixture } from './rooms-fixture.ts'

describe('the connection limiter of a rooms node', () => {
  it('limits connections per node, per network address and per player', () => {
    const socketLimiter = createSocketLimiter({ perNode: 6, perAddress: 4, perPlayer: 2 })
    const ada = [socketLimiter.enter('a', 'ada'), socketLimiter.enter('b', 'ada')]
    expect(ada.map((one) => typeof one)).to.deep.equal(['object', 'object'])
    expect(socketLimiter.enter('c', 'ada')).to.equal('player')
    for (const player of [null, null, 'bob']) expect(socketLimiter.enter('a', player)).to.be.an('object')
    expect([socketLimiter.full('a'), socketLimiter.enter('a', null), socketLimiter.full('b')]).to.deep.equal([
      'address',
      'address',
      null,
    ])
    expect(socketLimiter.enter(null, null)).to.be.an('object')
    expect([socketLimiter.full('b'), socketLimiter.full(null), socketLimiter.enter('b', 'eve')]).to.deep.equal([
      'node',
      'node',
      'node',
    ])
    expect(socketLimiter.size).to.equal(6)
  })

  it('frees each slot once', () => {
    const socketLimiter = createSocketLimiter({ perNode: 2, perAddress: 2, perPlayer: 1 })
    const slot = socketLimiter.enter('a', 'ada')
    socketLimiter.enter('a', 'bob')
    if (typeof slot === 'string') throw new Error(slot)
    slot.free()
    slot.free()
    expect(socketLimiter.size).to.equal(1)
    expect(socketLimiter.enter('a', 'bob')).to.equal('player')
    expect(socketLimiter.enter('a', 'ada')).to.be.an('object')
    expect(socketLimiter.enter('a', 'eve')).to.equal('node')
  })
})

describe('connection admission at a limit', () => {
  let world: World
  let fixture: RoomsFixture
  before(async () => {
    world = await openWorld({
      rateLimits: { ...DEFAULT_RATE_LIMITS, address: { perSecond: 1_000_000, burst: 1_000_000 } },
    })
    fixture = await openRoomsFixture(world)
  })
  after(() => world.close())
  afterEach(() => closeRoomClients())

  const poll = async (ticket: string) => {
    const url = `http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling&ticket=${ticket}`
    const answer = await fetch(url)
    const text = await answer.text()
    const code = answer.ok ? '' : (JSON.parse(text) as { message: string }).message.split(':')[0]
    return { status: answer.status, code, again: answer.headers.get('retry-after') }
  }

  it('admits a player up to the limit by either transport, and again after a disconnect', async () => {
    const { token } = await fixture.guest()
    const visitors = []
    for (let n = 0; n < SOCKETS_PER_PLAYER; n++) {
      visitors.push(await fixture.enter({ token, transports: [n % 2 === 0 ? 'websocket' : 'polling'] }))
    }
    expect(await poll(await fixture.ticket(token))).to.deep.equal({
      status: 429,
      code: 'too_many_connections',
      again: '5',
    })
    const other = await fixture.enter()
    expect(other.socket.connected, 'another player').to.equal(true)
    await visitors[0]?.leave()
    while ((await metricOf(world, 'scorebook_rooms_sockets')) > SOCKETS_PER_PLAYER) await turn()
    const again = await fixture.enter({ token })
    expect(again.socket.connected).to.equal(true)
  })

  it('answers a WebSocket handshake with the complete rejection, and closes it', async () => {
    const { token } = await fixture.guest()
    for (let n = 0; n < SOCKETS_PER_PLAYER; n++) await fixture.enter({ token })
    const ticket = await fixture.ticket(token)
    const tcp = connectTcp(world.port, '127.0.0.1')
    const chunks: Buffer[] = []
    tcp.on('data', (data) => chunks.push(data))
    const requestLine = `GET /socket.io/?EIO=4&transport=websocket&ticket=${ticket} HTTP/1.1\r\nHost: x\r\n`
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
    tcp.write(`${requestLine}${upgrade}Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`)
    await once(tcp, 'end')
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
    expect(head.split('\r\n')[0]).to.equal('HTTP/1.1 429 Too Many Requests')
    expect(head).to.match(/^Retry-After: 5$/m)
    expect((JSON.parse(body) as { message: string }).message).to.match(
      /^too_many_connections: one player has at most 20/,
    )
    tcp.destroy()
  })

  it('admits exactly the limit of concurrent connections', async () => {
    const { token } = await fixture.guest()
    const tickets = await Promise.all(Array.from({ length: SOCKETS_PER_PLAYER + 10 }, () => fixture.ticket(token)))
    const statuses = (await Promise.all(tickets.map(poll))).map(({ status }) => status).sort()
    expect(statuses).to.deep.equal([...Array(SOCKETS_PER_PLAYER).fill(200), ...Array(10).fill(429)])
  })

  it('frees the slot of a handshake that opened no connection', async () => {
    const { token } = await fixture.guest()
    for (let n = 0; n < SOCKETS_PER_PLAYER + 5; n++) {
      const ticket = await fixture.ticket(token)
      const url = `http://127.0.0.1:${world.port}/socket.io/?EIO=3&transport=polling&ticket=${ticket}`
      expect((await fetch(url)).status, 'another protocol').to.equal(400)
    }
    const roomClient = await fixture.enter({ token })
    expect(roomClient.socket.connected).to.equal(true)
  })
})
