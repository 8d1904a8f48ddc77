// Connections from which Node removes its own listeners, at an upgrade or CONNECT: they fail, end and release
// their memory like any other.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { z } from 'zod'
import { REFUSED_LINGER_MS } from '../../http/connections/limits.ts'
import { openRoute } from '../../http/route.ts'
import { eventually, gate, turn, until } from '../until.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

const TUNNEL = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'
const UPGRADE = get('/health/live', 'Connection: Upgrade', 'Upgrade: h2c')
const POST = 'POST /api/nothing/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx'
const BODIES = 8
const PIECES = 200
const PIECE = 'x'.repeat(65_536)

const common = {
  method: 'GET',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
  answers: { 200: z.unknown() },
} as const

describe('connections that Node has handed over', () => {
  let world: World
  let slow: ReturnType<typeof gate>

  beforeEach(async () => {
    slow = gate()
    const routes = [
      openRoute({
        ...common,
        path: '/api/test/slow/',
        summary: 'A test.',
        handle: async () => {
          await slow.opened
          return { status: 200, body: {} }
        },
      }),
      openRoute({
        ...common,
        path: '/api/test/stream/',
        summary: 'A test.',
        handle: async () => ({ status: 200, body: Readable.from(Array(PIECES).fill(PIECE)) }),
      }),
    ]
    world = await createWorld({ routes, edgeLimits: { bodies: { perAddress: BODIES, perProcess: 2 * BODIES + 2 } } })
  })
  afterEach(() => world.close())

  const openNow = async () =>
    (await world.metrics.metrics()).split('\n').find((line) => line.startsWith('scorebook_http_connections '))
  const untilNoneOpen = async () => {
    await eventually(async () => (await openNow()) === 'scorebook_http_connections 0')
  }

  for (const [what, request] of [
    ['a tunnel', TUNNEL],
    ['an upgrade', UPGRADE],
  ] as const) {
    it(`fails nothing else when a connection that requested ${what} is reset`, async () => {
      for (let n = 0; n < 20; n++) {
        const socket = connect(world.port, '127.0.0.1')
        socket.on('error', () => {})
        await once(socket, 'connect')
        socket.write(request)
        if (n % 2 === 0) await turn()
        socket.resetAndDestroy()
      }
      await untilNoneOpen()
      const { socket, until } = await openRaw(world.port)
      socket.write(get('/health/live'))
      await until((text) => statusesIn(text)[0] === 200)
      socket.destroy()
    })

    it(`releases the memory of waiting bodies when a connection that requested ${what} is reset`, async () => {
      for (let n = 0; n < 3; n++) {
        const arrived = new Promise((resolve) =>
          world.http.server.once(what === 'a tunnel' ? 'connect' : 'upgrade', resolve),
        )
        const { socket } = await openRaw(world.port)
        socket.write(get('/api/test/slow/') + POST.repeat(BODIES) + request)
        await arrived
        socket.resetAndDestroy()
      }
      slow.open()
      await untilNoneOpen()
      const { socket, until } = await openRaw(world.port)
      socket.write(get('/api/test/slow/') + POST.repeat(BODIES))
      await until((text) => statusesIn(text).length === 1 + BODIES)
      socket.destroy()
    })
  }

  it('refuses a tunnel after the earlier answers, and closes the connection though its client sends more', async () => {
    const { socket, until, ended } = await openRaw(world.port)
    socket.write(get('/api/test/slow/') + TUNNEL)
    slow.open()
    expect(statusesIn(await until((text) => statusesIn(text).length === 2))).to.deep.equal([200, 405])
    const beganMs = performance.now()
    const sending = setInterval(() => socket.write('x'), 20)
    await ended
    clearInterval(sending)
    expect(performance.now() - beganMs).to.be.below(REFUSED_LINGER_MS + 1_000)
    await untilNoneOpen()
  })

  it('sends a long answer completely when an upgrade was requested behind it', async () => {
    const { socket, until } = await openRaw(world.port)
    socket.pause()
    const upgrading = new Promise((resolve) => world.http.server.once('upgrade', resolve))
    socket.write(get('/api/test/stream/'))
    await once(socket, 'readable')
    socket.write(UPGRADE)
    await upgrading
    socket.resume()
    const text = await until(
      (read) => read.length > PIECES * PIECE.length && statusesIn(read.slice(-2_000)).length === 1,
    )
    expect(text.split('HTTP/1.1 200').length - 1).to.equal(2)
    socket.destroy()
  })

  it('keeps the number of listeners constant for any number of upgrade requests', async () => {
    const accepted = once(world.http.server, 'connection')
    const { socket, until } = await openRaw(world.port)
    const [own] = (await accepted) as [Socket]
    const counts = new Set<number>()
    for (let n = 1; n <= 20; n++) {
      socket.write(UPGRADE)
      await until((text) => statusesIn(text).length === n)
      if (n > 2) counts.add(own.listenerCount('close'))
    }
    expect(counts.size).to.equal(1)
    socket.destroy()
  })

  it('cuts a connection with a running answer when the grace period of a closing server ends', async () => {
    const { socket, ended } = await openRaw(world.port)
    const upgrading = once(world.http.server, 'upgrade')
    socket.write(get('/api/test/slow/') + UPGRADE)
    await upgrading
    await world.http.close(50)
    await ended
    await until(() => socket.destroyed)
  })
})
