// Connections that are not read, and what closing one costs.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { abortCheaply } from '../../http/connections/cheap-aborts.ts'
import { pauseReading } from '../../http/connections/pause-reading.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import { get } from './raw-connection.ts'

/** Enough for a read that was begun to arrive. */
const TURNS = 50

let close = async () => {}

async function serving(onConnection: (socket: Socket) => void) {
  const requests: IncomingMessage[] = []
  const server = createServer((request) => requests.push(request))
  server.on('connection', onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  close = async () => {
    client.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { requests, client, server }
}

describe('pauseReading', () => {
  afterEach(() => close())

  it('keeps a connection unread that was resumed and paused in one tick', async () => {
    let isHeld = true
    let held: Socket | undefined
    const { requests, client, server } = await serving((socket) => {
      held = socket
      socket.on('resume', () => {
        if (isHeld) pauseReading(socket)
      })
      socket.resume()
      pauseReading(socket)
    })
    client.write(get('/'))
    for (let n = 0; n < TURNS; n++) await yieldToEventLoop()
    expect(held?.bytesRead).to.equal(0)
    isHeld = false
    held?.resume()
    await once(server, 'request')
    expect(requests).to.have.lengthOf(1)
  })
})

describe('abortCheaply', () => {
  afterEach(() => close())

  it('ends the requests of a closed connection with errors that have no stack trace, and leaves later errors theirs', async () => {
    const { requests, client, server } = await serving(abortCheaply)
    client.write(get('/').repeat(3))
    while (requests.length < 3) await once(server, 'request')
    const errors: Error[] = []
    for (const request of requests) request.on('error', (error) => errors.push(error))
    const [{ socket } = {}] = requests
    client.destroy()
    await once(socket as Socket, 'close')
    await yieldToEventLoop()
    expect(errors.map(({ stack }) => stack)).to.deep.equal(Array(3).fill('Error: aborted'))
    expect(new Error('later').stack).to.include('pause-reading.test.ts')
  })
})
