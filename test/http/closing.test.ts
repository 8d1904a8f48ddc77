// A closing server answers requests that were sent before the client could know, even if it was too busy to read them.

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { createWorld, type World } from './pipeline-world.ts'

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
