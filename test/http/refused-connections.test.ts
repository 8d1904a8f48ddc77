// Connections whose bytes were refused: their clients may not close them, or may vanish.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { REFUSED_LINGER_MS } from '../../http/connections/limits.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

const GARBAGE = 'no HTTP\r\n\r\n'
const LATE_MS = 2_000

describe('connections with refused bytes', () => {
  let world: World

  before(async () => {
    world = await createWorld()
  })
  after(() => world.close())

  /** Resolves once the server has closed its side of the connection; fails if that takes long. */
  async function closed(socket: Socket): Promise<void> {
    const beganMs = performance.now()
    if (!socket.destroyed) await once(socket, 'close')
    expect(performance.now() - beganMs).to.be.below(REFUSED_LINGER_MS + LATE_MS)
  }

  const accepted = async () => {
    const [socket] = (await once(world.http.server, 'connection')) as [Socket]
    return socket
  }

  for (const [what, sent] of [
    ['as its first request', GARBAGE],
    ['behind a request', get('/health/live') + GARBAGE],
  ] as const) {
    it(`closes a connection that sends invalid bytes ${what} after the time to read the answer, although its client keeps it open`, async () => {
      const own = accepted()
      const client = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true })
      client.write(sent)
      await once(client.resume(), 'end')
      await closed(await own)
      client.destroy()
    })
  }

  it('closes a connection when its client resets it', async () => {
    const own = accepted()
    const { socket, until } = await openRaw(world.port)
    socket.write(get('/health/live') + GARBAGE)
    await until((text) => statusesIn(text).length === 2)
    socket.resetAndDestroy()
    await closed(await own)
  })

  it('closes a connection that took too long to send a request, which Node reports once', async () => {
    const own = accepted()
    const client = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true })
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    world.http.server.emit('clientError', late, await own)
    await once(client.resume(), 'end')
    await closed(await own)
    client.destroy()
  })
})
