// A server that closes answers what was sent before its sender knew, also where it was too busy to read it at once.

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
      // After this, what is due by time comes before what is to be read.
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
    // Then it has asked the system for the connection, which makes it at once, and no turn has gone by to accept it.
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
