// A server that closes answers what was sent before its sender knew, also where it was too busy to read it at once.

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { createWorld, type World } from './pipeline-world.ts'

const REQUEST = 'GET /api/nowhere/ HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('a server that closes', () => {
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
    let told = ''
    const over = new Promise<string>((resolve) => {
      socket.on('data', (data) => {
        told += data
      })
      socket.on('error', (why: NodeJS.ErrnoException) => resolve(`${why.code} after ${told}`))
      socket.on('close', () => resolve(told))
    })
    return { socket, over }
  }

  for (const busyMs of [300, 600]) {
    it(`answers a request that lay unread for ${busyMs} ms`, async () => {
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

  it('answers who was connected, though not accepted yet', async () => {
    const socket = connect(world.port, '127.0.0.1')
    // Then it has asked the system for the connection, which makes it at once, and no turn has gone by to accept it.
    await new Promise((next) => process.nextTick(next))
    const closed = world.close()
    socket.write(REQUEST)
    const [data] = await once(socket, 'data')
    expect(String(data)).to.match(/^HTTP\/1\.1 404 /)
    await closed
  })

  it('waits for connections that ask nothing no longer than it must', async () => {
    const { over } = await kept()
    const closed = world.close()
    expect(await over).to.equal('')
    await closed
  })
})
