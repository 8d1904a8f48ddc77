// Bodies that come in many chunks, slowly, or too many at once: each costs its size, and only so many may be on their way.

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { CHUNKS_LINGER_MS } from '../../http/connections/limits.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { openRaw, type RawConnection, statusesIn } from './raw-connection.ts'

const RATE = { perSecond: 1_000, burst: 1_000 }
const RATES = { key: RATE, player: RATE, address: RATE, handshake: RATE, guest: RATE }
const PATH = '/api/auth/jwt/redeem/'
const HEAD = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`

const chunksOf = (text: string, size: number): string => {
  const count = Math.ceil(text.length / size)
  const pieces = Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size))
  return pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
}

describe('Bodies', () => {
  let world: World
  const open: RawConnection[] = []
  afterEach(async () => {
    for (const { socket } of open.splice(0)) socket.destroy()
    await world.close()
  })

  async function send(text: string, localAddress?: string) {
    const connection = await openRaw(world.port, localAddress)
    open.push(connection)
    connection.socket.write(text)
    return connection
  }

  const answerTo = async ({ until }: RawConnection) => {
    const text = await until((read) => /\r\n\r\n.*\}$/s.test(read))
    return { status: statusesIn(text)[0], text, body: JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) }
  }

  const limited = async () =>
    (await world.metrics.metrics()).split('\n').filter((line) => line.startsWith('scorebook_http_limited_total{'))

  it('are read in up to 1,024 chunks, and refused with 413 in more', async () => {
    world = await createWorld()
    const body = JSON.stringify({ request_id: 'é'.repeat(30_000) })
    const bytes = Buffer.from(body).toString('latin1')
    const head = Buffer.from(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
    const wire = (size: number) => Buffer.concat([head, Buffer.from(`${chunksOf(bytes, size)}0\r\n\r\n`, 'latin1')])
    const sent = async (size: number) => {
      const connection = await openRaw(world.port)
      open.push(connection)
      connection.socket.write(wire(size))
      return answerTo(connection)
    }
    expect(Math.ceil(bytes.length / 59)).to.be.within(1_000, 1_024)
    const { status, text } = await sent(59)
    expect([status, Buffer.from(text, 'latin1').toString().includes(body)]).to.deep.equal([200, true])
    const refused = await sent(58)
    expect([refused.status, refused.body.code]).to.deep.equal([413, 'body_too_large'])
    expect(refused.body.detail).to.equal('The body must come in at most 1,024 chunks.')
  })

  it('in one-byte chunks end the reading of their connection', async () => {
    world = await createWorld()
    const text = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(2_000_000)}`
    const connection = await send(text)
    expect((await answerTo(connection)).status).to.equal(413)
    // The rest is still with the client.
    expect(connection.socket.writableLength).to.be.greaterThan(0)
  })

  it('in more than 1,024 chunks, the last of them after the answer, end with their connection', async () => {
    world = await createWorld()
    const own = once(world.http.server, 'connection')
    const { socket, until } = await send(
      `POST /api/nothing/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1_000)}`,
    )
    await until((text) => statusesIn(text).length === 1)
    const beganMs = performance.now()
    socket.write('1\r\nx\r\n'.repeat(100))
    const [accepted] = (await own) as [Socket]
    await once(accepted, 'close')
    expect(performance.now() - beganMs).to.be.below(CHUNKS_LINGER_MS + 2_000)
  })

  it('that take longer than they may are 408, and their connection ends', async () => {
    world = await createWorld({ edgeLimits: { bodyTimeoutMs: 50 } })
    const connection = await send(`${HEAD}Content-Length: 20\r\n\r\n{`)
    const text = await connection.ended
    expect(statusesIn(text)).to.deep.equal([408])
    expect(text).to.include('"code":"request_timeout"')
  })

  it('on their way are limited per network address: 429, while other addresses and whole bodies go on', async () => {
    world = await createWorld({ rateLimits: RATES, edgeLimits: { bodies: { perAddress: 2, perProcess: 100 } } })
    const partial = `${HEAD}Content-Length: 20\r\n\r\n{`
    const first = await send(partial)
    await send(partial)
    const refused = await answerTo(await send(partial))
    expect([refused.status, refused.body.code, refused.body.policy]).to.deep.equal([
      429,
      'rate_limited',
      'address_bodies',
    ])
    expect(refused.text).to.include('Retry-After: 2\r\n')
    expect(await limited()).to.deep.equal(['scorebook_http_limited_total{what="body",limit="address"} 1'])
    const whole = await send(`${HEAD}Content-Length: 19\r\n\r\n{"request_id":"ab"}`)
    expect((await answerTo(whole)).status).to.equal(200)
    const other = await send(partial, '127.0.0.2')
    const rest = '"request_id": "ab"}'
    other.socket.write(rest)
    expect((await answerTo(other)).status).to.equal(200)
    first.socket.write(rest)
    expect((await answerTo(first)).status).to.equal(200)
    const next = await send(partial)
    next.socket.write(rest)
    expect((await answerTo(next)).status).to.equal(200)
  })

  it('on their way are limited in the process: 503 server_full, whatever the address', async () => {
    world = await createWorld({ edgeLimits: { bodies: { perAddress: 1, perProcess: 1 } } })
    await send(`${HEAD}Content-Length: 20\r\n\r\n{`)
    const refused = await answerTo(await send(`${HEAD}Content-Length: 20\r\n\r\n{`, '127.0.0.2'))
    expect([refused.status, refused.body.code]).to.deep.equal([503, 'server_full'])
    expect(refused.text).to.include('Retry-After: 2\r\n')
  })

  it('whose sender goes away give their room back', async () => {
    world = await createWorld({ rateLimits: RATES, edgeLimits: { bodies: { perAddress: 1, perProcess: 1 } } })
    const { server } = world.http
    const accepted = new Promise<void>((resolve) => {
      server.once('connection', (socket) => socket.once('close', () => setImmediate(resolve)))
    })
    const gone = await send(`${HEAD}Content-Length: 20\r\n\r\n{`)
    await new Promise((resolve) => server.once('request', resolve))
    gone.socket.destroy()
    await accepted
    const next = await send(`${HEAD}Content-Length: 20\r\n\r\n{`)
    next.socket.write('"request_id": "ab"}')
    expect((await answerTo(next)).status).to.equal(200)
  })
})
