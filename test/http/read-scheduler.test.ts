// Reads with many pipelined requests: the other connections of their network address are read later, one per iteration.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect } from 'chai'
import { z } from 'zod'
import { WaitingBudget } from '../../http/connections/edge.ts'
import { answerInOrder } from '../../http/connections/in-order.ts'
import { PARSED_BY_TOO_MANY_HEADERS, PARSED_BY_UPGRADE, PARSED_PER_TURN } from '../../http/connections/limits.ts'
import { ReadScheduler } from '../../http/connections/read-scheduler.ts'
import { openRoute } from '../../http/route.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { gate, until } from '../until.ts'
import { createWorld } from './pipeline-world.ts'
import { get, openRaw, type RawConnection, statusesIn } from './raw-connection.ts'

const ATTACKER = '127.0.0.2'
const CONNECTIONS = 12
/** More than one iteration takes, and fewer than have to wait before nothing is read. */
const PIPELINED = 300
/** Behind one request. */
const MANY = 1_024

describe('ReadScheduler', () => {
  const begin = () => {
    const scheduler = new ReadScheduler()
    const [busy, second, third, other] = [new Socket(), new Socket(), new Socket(), new Socket()]
    for (const socket of [busy, second, third]) scheduler.add(socket, 'a')
    scheduler.add(other, 'b')
    const use = () => [busy, second, third, other].map((socket) => scheduler.used(socket))
    const flood = () => {
      for (let n = 0; n < PARSED_PER_TURN; n++) scheduler.parsed(busy)
    }
    const paused = () => [busy, second, third, other].map((socket) => socket.isPaused())
    return { scheduler, busy, second, third, other, flood, paused, use }
  }

  it('pauses the other connections of an address at 256 requests in one iteration, and reads one that never pipelined per iteration', async () => {
    const { flood, paused, use } = begin()
    use()
    flood()
    expect(paused()).to.deep.equal([false, true, true, false])
    await yieldToEventLoop()
    expect(paused()).to.deep.equal([false, false, true, false])
    await yieldToEventLoop()
    expect(paused()).to.deep.equal([false, false, false, false])
  })

  it('pauses nothing when 255 requests arrive in each of two iterations', async () => {
    const { scheduler, busy, paused } = begin()
    for (let n = 1; n < PARSED_PER_TURN; n++) scheduler.parsed(busy)
    await yieldToEventLoop()
    for (let n = 1; n < PARSED_PER_TURN; n++) scheduler.parsed(busy)
    expect(paused()).to.deep.equal([false, false, false, false])
  })

  it('reads new connections at no more than 8,192 requests a second', async () => {
    const { scheduler, busy, second, third, other } = begin()
    scheduler.used(third)
    const beganMs = performance.now()
    for (let n = 0; n < 2 * PARSED_PER_TURN; n++) scheduler.parsed(busy)
    await yieldToEventLoop()
    expect([second, third, other].map((socket) => socket.isPaused())).to.deep.equal([true, false, false])
    await once(second, 'resume')
    expect(performance.now() - beganMs).to.be.at.least(60)
  })

  it('delays a new connection of an address that sent too much, even if none of its others waits to be read', async () => {
    const scheduler = new ReadScheduler()
    const [busy, late] = [new Socket(), new Socket()]
    scheduler.add(busy, 'a')
    for (let n = 0; n < 2 * PARSED_PER_TURN; n++) scheduler.parsed(busy)
    await yieldToEventLoop()
    scheduler.add(late, 'a')
    await yieldToEventLoop()
    expect(late.isPaused()).to.equal(true)
    await once(late, 'resume')
  })

  it('reads new connections before those that pipelined', async () => {
    const { scheduler, busy, second, third } = begin()
    scheduler.parsed(second)
    for (let n = 0; n < 2 * PARSED_PER_TURN; n++) scheduler.parsed(busy)
    await once(third, 'resume')
    expect(second.isPaused()).to.equal(true)
    await once(second, 'resume')
  })

  it('closes a connection that is unread for too long and reports it, but none that is read again', async () => {
    const closed: string[] = []
    const scheduler = new ReadScheduler({ closed: (reason) => closed.push(reason) }, 50)
    const [busy, unread, modest] = [new Socket(), new Socket(), new Socket()]
    for (const socket of [busy, unread, modest]) scheduler.add(socket, 'a')
    scheduler.used(modest)
    for (let n = 0; n < 10 * PARSED_PER_TURN; n++) scheduler.parsed(busy)
    await once(unread, 'close')
    expect([busy.destroyed, unread.destroyed, modest.destroyed]).to.deep.equal([false, true, false])
    expect(closed).to.deep.equal(['unread'])
  })

  it('counts an upgrade request with others behind it as 64', () => {
    const { scheduler, busy, paused } = begin()
    for (let n = 0; n < 3; n++) scheduler.parsed(busy, PARSED_BY_UPGRADE)
    expect(paused()).to.deep.equal([false, false, false, false])
    scheduler.parsed(busy, PARSED_BY_UPGRADE)
    expect(paused()).to.deep.equal([false, true, true, false])
  })

  it('reads a used connection after those that are already paused', async () => {
    const { scheduler, flood, paused, use } = begin()
    use()
    flood()
    const late = new Socket()
    scheduler.used(late)
    scheduler.add(late, 'a')
    await yieldToEventLoop()
    await yieldToEventLoop()
    expect([...paused(), late.isPaused()]).to.deep.equal([false, false, false, false, true])
    await yieldToEventLoop()
    expect(late.isPaused()).to.equal(false)
  })

  it('reads a connection at once that is no longer HTTP', () => {
    const { scheduler, second, flood, paused } = begin()
    flood()
    scheduler.remove(second)
    expect(paused()).to.deep.equal([false, false, true, false])
  })

  it('keeps one group per address when a connection leaves, another comes, and the first is added again', () => {
    const scheduler = new ReadScheduler()
    const [upgraded, second, third] = [new Socket(), new Socket(), new Socket()]
    scheduler.add(upgraded, 'a')
    scheduler.remove(upgraded)
    scheduler.add(second, 'a')
    scheduler.add(upgraded, 'a')
    scheduler.remove(second)
    scheduler.add(third, 'a')
    for (let n = 0; n < PARSED_PER_TURN; n++) scheduler.parsed(upgraded)
    expect([upgraded.isPaused(), third.isPaused()]).to.deep.equal([false, true])
  })

  it('counts upgrade requests on the only connection of an address together', () => {
    const scheduler = new ReadScheduler()
    const only = new Socket()
    scheduler.add(only, 'a')
    for (let n = 0; n < 4; n++) {
      expect(only.isPaused()).to.equal(false)
      scheduler.remove(only)
      scheduler.parsed(only, PARSED_BY_UPGRADE)
      scheduler.add(only, 'a')
    }
    expect(only.isPaused()).to.equal(true)
    only.destroy()
  })

  it('treats the networks of one IPv6 /48 as one caller', () => {
    const scheduler = new ReadScheduler()
    const slots = new WaitingBudget({ perAddress: 2_000, perProcess: 20_000 }, scheduler)
    const [first, second, other] = [new Socket(), new Socket(), new Socket()]
    scheduler.add(first, '2001:db8:1:1::/64')
    scheduler.add(second, '2001:db8:1:ff::/64')
    scheduler.add(other, '2001:db8:2:1::/64')
    for (let n = 0; n < PARSED_PER_TURN; n++) scheduler.parsed(first)
    expect([second.isPaused(), other.isPaused()]).to.deep.equal([true, false])
    const waiting = (socket: Socket) => {
      let count = 0
      while (slots.take(socket)) count++
      return count
    }
    expect([waiting(first), waiting(second)]).to.deep.equal([2_000, 2_000])
    const third = new Socket()
    scheduler.add(third, '2001:db8:1:1ff::/64')
    const fourth = new Socket()
    scheduler.add(fourth, '2001:db8:1:2ff::/64')
    const fifth = new Socket()
    scheduler.add(fifth, '2001:db8:1:3ff::/64')
    expect([waiting(third), waiting(fourth), waiting(fifth)]).to.deep.equal([2_000, 2_000, 0])
  })

  it('lets 2,000 requests of an address wait, and no more than there are free slots', () => {
    const { scheduler, busy } = begin()
    const admitted = (perProcess: number) => {
      const slots = new WaitingBudget({ perAddress: 2_000, perProcess }, scheduler)
      let count = 0
      while (slots.take(busy)) count++
      return count
    }
    expect(admitted(10_000)).to.equal(2_000)
    expect(admitted(3_000)).to.equal(1_500)
  })
})

describe('the rate at which the connections of a network address are read', () => {
  it('is kept for the next connection when the last one closes, and forgotten once it is paid', async () => {
    const scheduler = new ReadScheduler()
    const first = new Socket()
    scheduler.add(first, 'a')
    for (let n = 0; n < 2 * PARSED_PER_TURN; n++) scheduler.parsed(first)
    await yieldToEventLoop()
    first.destroy()
    await once(first, 'close')
    const next = new Socket()
    scheduler.add(next, 'a')
    await yieldToEventLoop()
    expect(next.isPaused()).to.equal(true)
    await once(next, 'resume')
    next.destroy()
    await once(next, 'close')
    const later = new Socket()
    scheduler.add(later, 'a')
    await yieldToEventLoop()
    expect(later.isPaused()).to.equal(false)
  })

  /** What is counted for the bytes of one connection. */
  async function counted(sent: string, isOver: (count: number) => boolean, waiting = 2_000): Promise<number> {
    let count = 0
    class Counting extends ReadScheduler {
      override parsed(socket: Duplex, weight = 1): void {
        count += weight
        super.parsed(socket, weight)
      }
    }
    const scheduler = new Counting()
    const slots = new WaitingBudget({ perAddress: waiting, perProcess: 10_000 }, scheduler)
    const { opened, open } = gate()
    const server = createServer(async (_, response) => {
      await opened
      response.end()
    })
    server.on('connection', (socket) => scheduler.add(socket, 'a'))
    const inOrder = answerInOrder(server, { scheduler, slots })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { socket } = await openRaw((server.address() as AddressInfo).port)
    socket.write(sent)
    await until(() => isOver(count))
    open()
    socket.destroy()
    inOrder.stop()
    server.close()
    await once(server, 'close')
    return count
  }

  it('also counts the requests of a read that closes its connection', async () => {
    expect(await counted(get('/').repeat(300), (count) => count >= 299, 1)).to.equal(299)
  })

  it('counts a request with more than 100 headers as 64, and any other as one', async () => {
    const headers = Array.from({ length: 100 }, (_, n) => `X${n}: a`)
    expect(await counted(get('/', ...headers), (count) => count > 0)).to.equal(PARSED_BY_TOO_MANY_HEADERS)
    expect(await counted(get('/', ...headers.slice(1)).repeat(2), (count) => count > 0, 1)).to.equal(1)
  })
})

describe('pipelined requests on many connections of one network address', () => {
  const BODY = '{"score":"5"}'
  const post = (header: string, body: string) =>
    `POST /api/lb/b/score/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer client\r\nContent-Type: application/json\r\n${header}\r\n\r\n${body}`
  for (const [what, request] of [
    ['requests', get('/health/live')],
    ['bodies of a known length', post(`Content-Length: ${BODY.length}`, BODY)],
    ['bodies in one chunk', post('Transfer-Encoding: chunked', `d\r\n${BODY}\r\n0\r\n\r\n`)],
  ] as const) {
    it(`do not block another connection of that address that sends ${what} and does not pipeline`, () =>
      readsBesides(request))
  }

  /** Whether one that sends this repeatedly is read, and a new one is not, before 1,124 requests are answered. */
  async function readsBesides(request: string): Promise<void> {
    const { opened, open } = gate()
    const slow = openRoute({
      method: 'GET',
      path: '/api/test/slow/',
      needs: 'nothing',
      tenantOnly: false,
      records: false,
      summary: 'A test.',
      answers: { 200: z.unknown() },
      handle: async () => {
        await opened
        return { status: 200, body: {} }
      },
    })
    const world = await createWorld({ routes: [slow] })
    const kept = await openRaw(world.port, ATTACKER)
    const fresh = await openRaw(world.port, ATTACKER)
    kept.socket.write(request)
    await kept.until((text) => statusesIn(text).length === 1)
    const flooding = await openRaw(world.port, ATTACKER)
    let pipelined = 0
    world.http.server.on('request', ({ url }) => {
      if (url === '/') pipelined++
    })
    flooding.socket.write(get('/api/test/slow/') + 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(MANY + 100))
    await until(() => pipelined === MANY + 100)
    for (const { socket } of [kept, fresh]) socket.write(request)
    await kept.until((text) => statusesIn(text).length === 2)
    open()
    await fresh.until((text) => statusesIn(text).length === 1)
    await flooding.until((text) => statusesIn(text).length === MANY + 101)
    for (const { socket } of [kept, fresh, flooding]) socket.destroy()
    await world.close()
  }

  it('leave a connection of that address open that waits for an answer, and close one that does not', async () => {
    const { opened, open } = gate()
    const scheduler = new ReadScheduler({}, 50)
    const server = createServer(async (_, response) => {
      await opened
      response.end()
    })
    server.on('connection', (socket) => scheduler.add(socket, 'a'))
    const inOrder = answerInOrder(server, { scheduler })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const waiting = await openRaw(port)
    waiting.socket.write(get('/').repeat(2))
    await once(server, 'request')
    const idle = await openRaw(port)
    const flooding = new Socket()
    scheduler.add(flooding, 'a')
    for (let n = 0; n < 10 * PARSED_PER_TURN; n++) scheduler.parsed(flooding)
    await idle.ended
    open()
    await waiting.until((text) => statusesIn(text).length === 2)
    waiting.socket.destroy()
    inOrder.stop()
    server.close()
    await once(server, 'close')
  })

  it('are parsed for one connection per iteration, and all answered', async () => {
    const world = await createWorld({})
    const observed = { thisIteration: 0, max: 0 }
    world.http.server.on('request', ({ socket }) => {
      if (socket.remoteAddress !== ATTACKER) return
      if (observed.thisIteration++ === 0) setImmediate(() => (observed.thisIteration = 0))
      observed.max = Math.max(observed.max, observed.thisIteration)
    })
    const attackers: RawConnection[] = []
    for (let n = 0; n < CONNECTIONS; n++) {
      const one = await openRaw(world.port, ATTACKER)
      one.socket.write(get('/api/nothing/'))
      await one.until((text) => statusesIn(text).length === 1)
      attackers.push(one)
    }
    for (const { socket } of attackers) socket.write(get('/api/nothing/').repeat(PIPELINED))
    await Promise.all(attackers.map(({ until }) => until((text) => statusesIn(text).length === PIPELINED + 1)))
    for (const { socket } of attackers) {
      socket.destroy()
      await once(socket, 'close')
    }
    await world.close()
    expect(observed.max).to.be.within(PIPELINED, 2 * PIPELINED)
  })
})
