// Bodies that arrive in many chunks, slowly, or too many at the same time: each is accounted by its size and limited.

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
  const chunks = Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size))
  return chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
}

describe('request bodies', () => {
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
    const requestOf = (size: number) =>
      Buffer.concat([head, Buffer.from(`${chunksOf(bytes, size)}0\r\n\r\n`, 'latin1')])
    const sent = async (size: number) => {
      const connection = await openRaw(world.port)
      open.push(connection)
      connection.socket.write(requestOf(size))
      return answerTo(connection)
    }
    expect(Math.ceil(bytes.length / 59)).to.be.within(1_000, 1_024)
    const { status, text } = await sent(59)
    expect([status, Buffer.from(text, 'latin1').toString().includes(body)]).to.deep.equal([200, true])
    const refused = await sent(58)
    expect([refused.status, refused.body.code]).to.deep.equal([413, 'body_too_large'])
    expect(refused.body.detail).to.equal('The body must come in at most 1,024 chunks.')
  })

  it('end the reading of their connection when they arrive in one-byte chunks', async () => {
    world = await createWorld()
    const text = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(2_000_000)}`
    const connection = await send(text)
    expect((await answerTo(connection)).status).to.equal(413)
    // The client has not sent the rest yet.
    expect(connection.socket.writableLength).to.be.greaterThan(0)
  })

  it('end with their connection when the last of more than 1,024 chunks follows the answer', async () => {
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

  it('are refused with 408 after their time limit, and end their connection', async () => {
    world = await createWorld({ edgeLimits: { bodyTimeoutMs: 50 } })
    const connection = await send(`${HEAD}Content-Length: 20\r\n\r\n{`)
    const text = await connection.ended
    expect(statusesIn(text)).to.deep.equal([408])
    expect(text).to.include('"code":"request_timeout"')
  })

  it('are limited per network address with 429, while other addresses and complete bodies continue', async () => {
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
    const complete = await send(`${HEAD}Content-Length: 19\r\n\r\n{"request_id":"ab"}`)
    expect((await answerTo(complete)).status).to.equal(200)
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

  it('are limited in the process with 503 server_full, for every address', async () => {
    world = await createWorld({ edgeLimits: { bodies: { perAddress: 1, perProcess: 1 } } })
    await send(`${HEAD}Content-Length: 20\r\n\r\n{`)
    const refused = await answerTo(await send(`${HEAD}Content-Length: 20\r\n\r\n{`, '127.0.0.2'))
    expect([refused.status, refused.body.code]).to.deep.equal([503, 'server_full'])
    expect(refused.text).to.include('Retry-After: 2\r\n')
  })

  it('release their memory when the sender disconnects', async () => {
    world = await createWorld({ rateLimits: RATES, edgeLimits: { bodies: { perAddress: 1, perProcess: 1 } } })
    const { server } = world.http
    const accepted = new Promise<void>((resolve) => {
      server.once('connection', (socket) => socket.once('close', () => setImmediate(resolve)))
    })
    const disconnected = await send(`${HEAD}Content-Length: 20\r\n\r\n{`)
    await new Promise((resolve) => server.once('request', resolve))
    disconnected.socket.destroy()
    await accepted
    const next = await send(`${HEAD}Content-Length: 20\r\n\r\n{`)
    next.socket.write('"request_id": "ab"}')
    expect((await answerTo(next)).status).to.equal(200)
  })
})
