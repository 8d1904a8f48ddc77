// Callers who reset their connection during a call: the server does not log that as a failure.

import { connect } from 'node:net'
import { expect } from 'chai'
import { createWorld } from './pipeline-world.ts'

const HEAD = ['POST /api/lb/b1/slow/ HTTP/1.1', 'Host: localhost', 'Authorization: Bearer tenant', 'Content-Length: 2']

describe('a disconnected caller', () => {
  it('is not logged as a failure', async () => {
    const world = await createWorld()
    const socket = connect(world.port, '127.0.0.1')
    socket.write(`${HEAD.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n{}`)
    await world.gate.entered
    socket.resetAndDestroy()
    // Closing ends when no connection is left: by then the server has seen the end of this one.
    await world.close()
    world.gate.open()
    expect(world.lines.filter((line) => line.includes('http failed'))).to.deep.equal([])
  })
})
