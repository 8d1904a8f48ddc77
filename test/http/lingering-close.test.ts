// Answers that close their connection before the whole body has arrived: the client can send on and read them
// afterwards. And requests that were sent before the client could know that the server closes.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { CLOSING_LINGER_MS, DRAIN_MAX_BYTES } from '../../http/connections/limits.ts'
import { until } from '../until.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, statusesIn } from './raw-connection.ts'

/** Over the limit of a body, and within the bytes that are drained. */
const BODY_BYTES = 1_000_000

const HEAD = `POST /api/auth/jwt/redeem/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n`
const CLOSING = `${HEAD}Connection: close\r\n\r\n`
const LATE_MS = 2_000

describe('an answer that closes its connection before the body has arrived', () => {
  let world: World
  let client: Socket
  let accepted: Socket

  beforeEach(async () => {
    world = await createWorld()
    const own = once(world.http.server, 'connection')
    // Nothing is read until `read`: what the client does not know yet it cannot act on.
    client = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true })
    client.pause()
    client.on('error', () => {})
    await once(client, 'connect')
    accepted = (await own)[0] as Socket
  })
  afterEach(async () => {
    client.destroy()
    // A test may have closed it.
    await world.close().catch(() => {})
  })

  /** Sends the head and a part of the body, and waits until the server has sent its answer. */
  async function refused(head = CLOSING): Promise<void> {
    client.write(head + 'x'.repeat(70_000))
    await once(accepted, 'finish')
  }

  const rest = (): string => 'x'.repeat(BODY_BYTES - 70_000)

  /** All that the connection has received when it ends. */
  async function read(): Promise<string> {
    const chunks: Buffer[] = []
    client.on('data', (chunk) => chunks.push(chunk)).resume()
    if (!client.closed) await Promise.race([once(client, 'end'), once(client, 'close')])
    return Buffer.concat(chunks).toString('latin1')
  }

  it('reaches a client that sends its whole body before it reads', async () => {
    await refused()
    const failure = await new Promise((sent) => client.write(rest(), sent))
    expect(failure ?? null).to.equal(null)
    const text = await read()
    expect(statusesIn(text)).to.deep.equal([413])
    expect(text).to.include('Connection: close\r\n').and.to.include('"code":"body_too_large"')
  })

  it('closes the connection as soon as the rest of the body has arrived', async () => {
    await refused()
    expect(accepted.destroyed).to.equal(false)
    const beganMs = performance.now()
    const closed = once(accepted, 'close')
    client.write(rest())
    await closed
    expect(performance.now() - beganMs).to.be.below(CLOSING_LINGER_MS / 2)
  })

  it('is the last one of a closing server, and the requests behind its body are not run', async () => {
    const isClosed = world.close()
    await until(() => !world.http.server.listening)
    await refused(`${HEAD}\r\n`)
    const submit =
      'POST /api/lb/b/slow/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer client\r\nContent-Length: 0\r\n\r\n'
    const closed = once(accepted, 'close')
    client.write(rest() + submit + get('/health/live'))
    expect(statusesIn(await read())).to.deep.equal([413])
    await closed
    await isClosed
    expect(world.runs.total).to.equal(0)
  })

  it('leaves the connection of a client that has sent the whole body by then as it was', async () => {
    client.write(`${HEAD}\r\n${'x'.repeat(70_000)}`)
    client.resume()
    await once(client, 'data')
    client.pause()
    client.write(rest() + get('/health/live', 'Connection: close'))
    expect(statusesIn(await read())).to.deep.equal([200])
  })

  it('says so where more is announced than the server reads after it', async () => {
    const answered = async (bytes: number) => {
      client.write(`${HEAD.replace(String(BODY_BYTES), String(bytes))}\r\n${'x'.repeat(70_000)}`)
      const [data] = await Promise.all([once(client, 'data'), client.resume()])
      return /^Connection: (.*)\r$/m.exec(String(data))?.[1]
    }
    expect(await answered(DRAIN_MAX_BYTES)).to.equal('keep-alive')
    client.write('x'.repeat(DRAIN_MAX_BYTES - 70_000))
    expect(await answered(DRAIN_MAX_BYTES + 1)).to.equal('close')
  })

  it('closes the connection of a client that stops sending and keeps it open, after the time to read the answer', async () => {
    await refused()
    const beganMs = performance.now()
    await once(accepted, 'close')
    const tookMs = performance.now() - beganMs
    expect(tookMs).to.be.within(CLOSING_LINGER_MS - 500, CLOSING_LINGER_MS + LATE_MS)
    expect(statusesIn(await read())).to.deep.equal([413])
  })
})

const REQUEST = 'GET /api/nowhere/ HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('a closing server', () => {
  let world: World
  beforeEach(async () => {
    world = await createWorld()
  })
  afterEach(() => world.close().catch(() => {}))

  /** A connection that was answered once and is kept, and all that it receives after that. */
  async function kept() {
    const socket = connect(world.port, '127.0.0.1')
    socket.write(REQUEST)
    await once(socket, 'data')
    let received = ''
    const over = new Promise<string>((resolve) => {
      socket.on('data', (data) => {
        received += data
      })
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} after ${received}`))
      socket.on('close', () => resolve(received))
    })
    return { socket, over }
  }

  for (const busyMs of [300, 600]) {
    it(`answers a request that was unread for ${busyMs} ms`, async () => {
      const { socket, over } = await kept()
      const closed = world.close()
      // After this, the event loop runs due timers before it polls for reads.
      setImmediate(() => {
        socket.write(REQUEST)
        for (const end = performance.now() + busyMs; performance.now() < end; );
      })
      expect(await over).to.match(/^HTTP\/1\.1 404 /)
      await closed
    })
  }

  it('answers a caller who is connected but not accepted yet', async () => {
    const socket = connect(world.port, '127.0.0.1')
    // The client has connected by now, and the server has had no event-loop iteration to accept it.
    await new Promise((next) => process.nextTick(next))
    const closed = world.close()
    socket.write(REQUEST)
    const [data] = await once(socket, 'data')
    expect(String(data)).to.match(/^HTTP\/1\.1 404 /)
    await closed
  })

  it('waits for idle connections no longer than necessary', async () => {
    const { over } = await kept()
    const closed = world.close()
    expect(await over).to.equal('')
    await closed
  })
})
